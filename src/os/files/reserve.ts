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

/** True if no block is left for an ordinary user, or no file can be made; false if that is not known. */
export const isFullDisk = (directory: string): boolean => {
  try {
    const { bavail, ffree, files } = statfsSync(directory);
    return bavail === 0 || (files > 0 && ffree === 0);
  } catch {
    return false;
  }
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

/** Lays down again as much of it as there is space for, however little: the next supervisor needs some, too. */
export const restoreReserve = (file: string): void =>
  quietly(() => {
    if (!existsSync(file)) writeFileSync(file, Buffer.alloc(RESERVE_BYTES), { mode: PRIVATE, flag: 'wx' });
  });

/** Gives it up where less than that is free. */
export const useReserve = (file: string): void =>
  quietly(() => {
    if (freeBytes(file) < RESERVE_BYTES) rmSync(file, { force: true });
  });
