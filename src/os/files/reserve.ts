// Space that is held for the time when a disk is full: a file that is given up then, so that what must be written to come
// up, or to stop, still can be.
import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';

/** Enough for locks, pids, a registry and the states of some hundred services, in bytes. */
const RESERVE_BYTES = 64 * 1024;
/** Held only where so many reserves are free. */
const PLENTY = 4;
const PRIVATE = 0o600;

const freeBytes = (file: string): number => {
  const { bavail, bsize } = statfsSync(file.slice(0, file.lastIndexOf('/')));
  return bavail * bsize;
};

/** Never throws: without a reserve everything goes on, too. */
const quietly = (work: () => void): void => {
  try {
    work();
  } catch {
    // What cannot be held, or given up, is no reason to end.
  }
};

/** Lays the reserve down where there is plenty of space and it is not there. */
export const holdReserve = (file: string): void =>
  quietly(() => {
    if (existsSync(file) || freeBytes(file) < PLENTY * RESERVE_BYTES) return;
    writeFileSync(file, Buffer.alloc(RESERVE_BYTES), { mode: PRIVATE, flag: 'wx' });
  });

/** Gives it up where less than that is free. */
export const useReserve = (file: string): void =>
  quietly(() => {
    if (freeBytes(file) < RESERVE_BYTES) rmSync(file, { force: true });
  });
