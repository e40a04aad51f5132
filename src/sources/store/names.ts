// The second lock of a data directory, which cannot be unlinked (`docs/behaviour.md`, "One supervisor"). It
// is two names in the abstract namespace. One identifies the directory itself, the same for all its mounts.
// The other identifies its path, which stays when the directory is removed and created again.
import { createHash } from 'node:crypto';
import { readlinkSync, statSync } from 'node:fs';
import type { Server } from 'node:net';
import { isNameTaken, nameHolder, takeName } from '../../os/abstract-sockets.ts';

const ofPlace = (dataDir: string): readonly string[] => {
  try {
    const { dev, ino } = statSync(dataDir, { bigint: true });
    return [`sup/${dev}:${ino}`];
  } catch {
    return [];
  }
};

const ofPath = (dataDir: string): readonly string[] => {
  try {
    const mounts = readlinkSync('/proc/self/ns/mnt');
    const hash = createHash('sha256').update(`${process.getuid?.() ?? 0} ${mounts} ${dataDir}`);
    return [`sup/${hash.digest('hex')}`];
  } catch {
    return [];
  }
};

const namesOf = (dataDir: string): readonly string[] => [...ofPath(dataDir), ...ofPlace(dataDir)];

/** Returns the pid that holds the directory by name, even if its files are gone. */
export const holderByName = (dataDir: string): number | undefined => nameHolder(namesOf(dataDir));

/** True if a supervisor of any user seems to hold the directory, even if this user cannot read it. */
export const isHeldByName = (dataDir: string): boolean => isNameTaken(ofPlace(dataDir));

interface Names {
  /**
   * Takes the current names, also new ones of the directory. Resolves to the pid of another process that
   * holds one.
   */
  readonly take: () => Promise<number | undefined>;
  readonly release: () => void;
}

/** Without abstract names, the lock file alone counts. */
export const namesFor = (dataDir: string): Names => {
  const taken = new Map<string, Server>();
  const takeOne = async (name: string): Promise<number | undefined> => {
    const server = await takeName(name).catch(() => 'none' as const);
    if (server === undefined) return nameHolder([name]);
    if (server !== 'none') taken.set(name, server);
    return undefined;
  };
  /** Drops the name of a removed directory: its inode may be reused. */
  const drop = (name: string): void => {
    taken.get(name)?.close();
    taken.delete(name);
  };
  return {
    take: async () => {
      const names = namesOf(dataDir);
      [...taken.keys()].filter((name) => !names.includes(name)).forEach(drop);
      for (const name of names.filter((each) => !taken.has(each))) {
        const other = await takeOne(name);
        if (other !== undefined) return other;
      }
      return undefined;
    },
    release: () => [...taken.keys()].forEach(drop),
  };
};
