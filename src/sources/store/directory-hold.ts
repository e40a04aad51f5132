// Acquires a data directory for one process, by a lock file and by two abstract socket names. Unlike a file,
// such a name cannot be removed (`docs/behaviour.md`, "One supervisor"). One name contains the inode of the
// directory, so every path to the directory leads to this name. The other name is a hash of the path, so it
// stays the same if the directory is removed and created again.
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

/** Returns the pid of the process that holds a name of the directory, even if the lock file is gone. */
export const holderByName = (dataDir: string): number | undefined => nameHolder(namesOf(dataDir));

/** True if a process of any user seems to hold the directory. The directory need not be readable. */
export const isHeldByName = (dataDir: string): boolean => isNameTaken(ofPlace(dataDir));

interface Names {
  /**
   * Takes the names of the directory. Resolves to the pid of the process that holds one of them, if another
   * process does.
   */
  readonly take: () => Promise<number | undefined>;
  readonly release: () => void;
}

/**
 * Returns an object that takes and releases the names. If names cannot be taken, only the lock file protects
 * the directory.
 */
export const namesFor = (dataDir: string): Names => {
  const taken = new Map<string, Server>();
  const takeOne = async (name: string): Promise<number | undefined> => {
    const server = await takeName(name).catch(() => 'none' as const);
    if (server === undefined) return nameHolder([name]);
    if (server !== 'none') taken.set(name, server);
    return undefined;
  };
  /**
   * Frees a name that the directory no longer has, because another directory may get the same inode number.
   */
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
  /** Restores the directory, the lock file and the pid file if they are missing. True if one was missing. */
  readonly mend: () => Promise<boolean>;
  /** Lets another process take the directory. Call it last: no service may be touched afterwards. */
  readonly release: () => void;
}

type HoldOutcome =
  Exclude<LockOutcome, { tag: 'acquired' }> | { readonly tag: 'acquired'; readonly hold: Hold };

/**
 * Acquires the lock and the names. Refuses if another process holds a name, even if its lock file is gone.
 */
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
