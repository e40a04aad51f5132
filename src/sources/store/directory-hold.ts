// Holds a data directory for one process, by its lock file and by its names. The names are a second lock,
// which cannot be unlinked (`docs/behaviour.md`, "One supervisor"). They are two, in the abstract namespace.
// One identifies the directory itself, the same for all its mounts. The other identifies its path, which
// stays when the directory is removed and created again.
import { createHash } from 'node:crypto';
import { existsSync, readlinkSync, statSync } from 'node:fs';
import type { Server } from 'node:net';
import { isNameTaken, nameHolder, takeName } from '../../os/abstract-sockets.ts';
import { acquireLock, type Claim, isHeldByUs, type LockOutcome } from './lock.ts';
import { layoutOf } from '../../streams/wire/layout.ts';

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

export interface Hold {
  /** Restores directory, lock and pid file if they are missing. `true` if one was. */
  readonly mend: () => Promise<boolean>;
  /** Releases the directory. Call it last: services must not be touched any more. */
  readonly release: () => void;
}

type HoldOutcome =
  Exclude<LockOutcome, { tag: 'acquired' }> | { readonly tag: 'acquired'; readonly hold: Hold };

/** Like `acquireLock`, and also refuses while another process holds the names, even if its files are gone. */
export const holdDirectory = async (dataDir: string, claim: Claim = {}): Promise<HoldOutcome> => {
  const outcome = acquireLock(dataDir, claim);
  if (outcome.tag !== 'acquired') return outcome;
  const { lock } = outcome;
  const names = namesFor(dataDir);
  const other = await names.take();
  if (other !== undefined) {
    names.release();
    lock.release();
    return { tag: 'held', by: other };
  }
  const { pid } = layoutOf(dataDir);
  const hold: Hold = {
    mend: async () => {
      if (isHeldByUs(dataDir) && existsSync(pid)) return false;
      acquireLock(dataDir, claim);
      await names.take();
      return true;
    },
    release: () => {
      lock.release();
      names.release();
    },
  };
  return { tag: 'acquired', hold };
};
