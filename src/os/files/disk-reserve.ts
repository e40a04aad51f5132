// The reserve: a file of 64 KiB that is removed when the disk is full, so that a start or stop can still
// write its records.
// Rules: `docs/behaviour.md`, "Saved state".
import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';

/** The size of the reserve: enough for locks, pids, a registry and the states of a few hundred services. */
const RESERVE_BYTES = 64 * 1024;
/** The reserve is created only if this many times its size is free. */
const PLENTY = 4;
const PRIVATE = 0o600;

const freeBytes = (file: string): number => {
  const { bavail, bsize } = statfsSync(file.slice(0, file.lastIndexOf('/')));
  return bavail * bsize;
};

/** True if the file system has no free block for an ordinary user, or no free inode. */
export const isFullDisk = (directory: string): boolean => {
  try {
    const { bavail, ffree, files } = statfsSync(directory);
    return bavail === 0 || (files > 0 && ffree === 0);
  } catch {
    return false;
  }
};

/** Calls `work` and ignores its errors. */
const quietly = (work: () => void): void => {
  try {
    work();
  } catch {
    // The supervisor works without a reserve, so a failure is ignored.
  }
};

/** Creates the reserve if it is missing and four times its size is free. */
export const holdReserve = (file: string): void =>
  quietly(() => {
    if (existsSync(file) || freeBytes(file) < PLENTY * RESERVE_BYTES) return;
    writeFileSync(file, Buffer.alloc(RESERVE_BYTES), { mode: PRIVATE, flag: 'wx' });
  });

/**
 * Creates the reserve for the next supervisor if it is missing. If too little space is free, the reserve is
 * smaller.
 */
export const restoreReserve = (file: string): void =>
  quietly(() => {
    if (!existsSync(file)) writeFileSync(file, Buffer.alloc(RESERVE_BYTES), { mode: PRIVATE, flag: 'wx' });
  });

/** Removes the reserve if the free space is less than its size. */
export const useReserve = (file: string): void =>
  quietly(() => {
    if (freeBytes(file) < RESERVE_BYTES) rmSync(file, { force: true });
  });
