// All file system calls for a log file, in one place: a test interrupts the k-th. Files end with a whole
// line: a torn end from another writer is closed with a newline. Rotation turns `web.log` into `web.log.1`,
// `.1` into `.2`, up to exactly `max_files`. It is done in one turn: nothing is read meanwhile that would
// have to wait in memory.
// Rules: `docs/behaviour.md`, "Output", "Rotation".
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  readdirSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { isMissing } from '../../../os/errno.ts';
import { makeDirectory } from '../../../os/files/directories.ts';
import { openAtOnce } from '../../../os/files/own-file.ts';

export const nodeDisk = {
  close: closeSync,
  exists: existsSync,
  list: (directory: string) => readdirSync(directory),
  statOf: (path: string) => statSync(path, { throwIfNoEntry: false }),
  stat: (fd: number) => fstatSync(fd),
  truncate: (fd: number, size: number) => ftruncateSync(fd, size),
  makeDirectory: (path: string): void => {
    makeDirectory(path, 0o700);
  },
  open: openAtOnce,
  read: (fd: number, bytes: Buffer, at: number) => readSync(fd, bytes, 0, bytes.length, at),
  rename: renameSync,
  unlink: unlinkSync,
  write: (fd: number, bytes: Buffer) => writeSync(fd, bytes),
};

export type LogDisk = typeof nodeDisk;

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

const removed = (disk: LogDisk, path: string): boolean => {
  try {
    disk.unlink(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
};

/** The first free number, at most `maxFiles`: an interrupted rotation left a gap, and continues there. */
const firstFree = (disk: LogDisk, path: string, maxFiles: number): number => {
  let number = 1;
  while (number < maxFiles && disk.exists(`${path}.${String(number)}`)) number += 1;
  return number;
};

/** Frees `path`. The highest number moves first, so that a kill half-way loses no file. */
export const rotate = (disk: LogDisk, path: string, maxFiles: number): void => {
  // Left by an earlier, larger `max_files`.
  for (let number = maxFiles + 1; removed(disk, `${path}.${String(number)}`); number += 1);
  if (maxFiles === 0) {
    removed(disk, path);
    return;
  }
  for (let to = firstFree(disk, path, maxFiles); to > 1; to -= 1)
    disk.rename(`${path}.${String(to - 1)}`, `${path}.${String(to)}`);
  disk.rename(path, `${path}.1`);
};
