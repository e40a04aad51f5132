// An open log file. Files end with a whole line: a torn end from another writer is closed with a newline.
import { constants } from 'node:fs';
import { dirname } from 'node:path';
import type { LogDisk } from './log-disk.ts';

const NEWLINE = 10;

export interface OpenedLog {
  readonly fd: number;
  readonly inode: number;
  /** Bytes of whole lines in it. */
  size: number;
}

const endsTorn = (disk: LogDisk, fd: number, size: number): boolean => {
  const last = Buffer.alloc(1);
  return size > 0 && disk.read(fd, last, size - 1) === 1 && last[0] !== NEWLINE;
};

/** Closes a file that is not used. */
const closeQuietly = (disk: LogDisk, fd: number): void => {
  try {
    disk.close(fd);
  } catch {
    // It is closed despite the error.
  }
};

export const openLog = (disk: LogDisk, path: string): OpenedLog => {
  disk.makeDirectory(dirname(path));
  const fd = disk.open(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
  try {
    const { size, ino } = disk.stat(fd);
    const added = endsTorn(disk, fd, size) ? disk.write(fd, Buffer.from([NEWLINE])) : 0;
    return { fd, inode: ino, size: size + added };
  } catch (error) {
    closeQuietly(disk, fd);
    throw error;
  }
};

/** Cuts off a partial line at the end. */
export const takeBack = (disk: LogDisk, log: OpenedLog): void => {
  try {
    disk.truncate(log.fd, log.size);
  } catch {
    // Not every file can be truncated; a torn end is then closed at the next open.
  }
};
