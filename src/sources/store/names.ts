// The second lock of a data directory, which cannot be unlinked (`docs/behaviour.md`, "One supervisor"): two names in the
// abstract namespace, one of the directory itself, which other mounts of it have in common, and one of its path, which
// it keeps when it is removed and made again.
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

/** The pid of who holds the directory by name, whatever became of its files. */
export const holderByName = (dataDir: string): number | undefined => nameHolder(namesOf(dataDir));

/** Whether a supervisor of any user seems to have the directory, which this user need not be able to read. */
export const isHeldByName = (dataDir: string): boolean => isNameTaken(ofPlace(dataDir));

interface Names {
  /** Takes those that the directory has got meanwhile, too. Resolves to the pid of another who has one of them. */
  readonly take: () => Promise<number | undefined>;
  readonly release: () => void;
}

/** Where there are no such names, the lock file alone counts. */
export const namesFor = (dataDir: string): Names => {
  const taken = new Map<string, Server>();
  const takeOne = async (name: string): Promise<number | undefined> => {
    const server = await takeName(name).catch(() => 'none' as const);
    if (server === undefined) return nameHolder([name]);
    if (server !== 'none') taken.set(name, server);
    return undefined;
  };
  /** Of a directory that is gone: another may be given its number. */
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
