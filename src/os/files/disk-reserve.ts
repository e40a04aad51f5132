// Reserves disk space by a file. It is removed when the disk is full, so that what a start or a stop must
// write still fits.
// Rules: `docs/behaviour.md`, "Saved state".
import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';

/** Bytes: enough for locks, pids, a registry and the states of some hundred services. */
const RESERVE_BYTES = 64 * 1024;
/** Created only if this many times its size is free. */
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

/** Never throws: the supervisor works without a reserve. */
const quietly = (work: () => void): void => {
  try {
    work();
  } catch {
    // A failure here is no reason to exit.
  }
};

/** Creates the reserve if it is missing and there is plenty of space. */
export const holdReserve = (file: string): void =>
  quietly(() => {
    if (existsSync(file) || freeBytes(file) < PLENTY * RESERVE_BYTES) return;
    writeFileSync(file, Buffer.alloc(RESERVE_BYTES), { mode: PRIVATE, flag: 'wx' });
  });

/** Creates it again with as much as fits, however little: the next supervisor needs some too. */
export const restoreReserve = (file: string): void =>
  quietly(() => {
    if (!existsSync(file)) writeFileSync(file, Buffer.alloc(RESERVE_BYTES), { mode: PRIVATE, flag: 'wx' });
  });

/** Removes it if less than its size is free. */
export const useReserve = (file: string): void =>
  quietly(() => {
    if (freeBytes(file) < RESERVE_BYTES) rmSync(file, { force: true });
  });
