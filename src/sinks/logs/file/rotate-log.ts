// All file system calls for a log file are here, so that a test can interrupt each of them. A file always
// ends with a whole line. Rotation renames `web.log` to `web.log.1`, `.1` to `.2`, up to `max_files`. It is
// synchronous, so that no output has to wait in memory. A rotated file may be compressed: `web.log.2.gz`.
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
import { compressedPath, rotatedPath } from '../../../streams/wire/log-file-names.ts';

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
  /** The size of the file, bytes. Up to here the file has only whole lines. */
  size: number;
}

const endsTorn = (disk: LogDisk, fd: number, size: number): boolean => {
  const last = Buffer.alloc(1);
  return size > 0 && disk.read(fd, last, size - 1) === 1 && last[0] !== NEWLINE;
};

/** Closes a log file after an error, without reporting another error. */
const closeQuietly = (disk: LogDisk, fd: number): void => {
  try {
    disk.close(fd);
  } catch {
    // The descriptor is closed even if `close` reports an error.
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

/** Cuts off a partial line at the end of the file. */
export const takeBack = (disk: LogDisk, log: OpenedLog): void => {
  try {
    disk.truncate(log.fd, log.size);
  } catch {
    // Not every file can be truncated. When the file is opened again, a newline ends the partial line.
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

/** Removes a rotated file, compressed or not. True if it existed. */
const removedBoth = (disk: LogDisk, path: string): boolean => {
  const plain = removed(disk, path);
  return removed(disk, compressedPath(path)) || plain;
};

/** Returns the first free number, at most `maxFiles`. An interrupted rotation may have left a gap. */
const firstFree = (disk: LogDisk, path: string, maxFiles: number): number => {
  const isTaken = (file: string): boolean => disk.exists(file) || disk.exists(compressedPath(file));
  let number = 1;
  while (number < maxFiles && isTaken(rotatedPath(path, number))) number += 1;
  return number;
};

/** Renames a rotated file. If it exists both plain and compressed, renames the plain file. */
const moveOn = (disk: LogDisk, from: string, to: string): void => {
  try {
    disk.rename(from, to);
  } catch (error) {
    if (!isMissing(error)) throw error;
    disk.rename(compressedPath(from), compressedPath(to));
  }
};

/**
 * Renames the log files so that `path` becomes free. Begins with the highest number, so that a kill loses no
 * file.
 */
export const rotate = (disk: LogDisk, path: string, maxFiles: number): void => {
  // Removes files left by an earlier, larger `max_files`.
  for (let number = maxFiles + 1; removedBoth(disk, rotatedPath(path, number)); number += 1);
  if (maxFiles === 0) {
    removed(disk, path);
    return;
  }
  const free = firstFree(disk, path, maxFiles);
  // The file with the highest number is removed here, because a rename does not replace it if only one of the
  // two files is compressed.
  if (free === maxFiles) removedBoth(disk, rotatedPath(path, free));
  for (let to = free; to > 1; to -= 1) moveOn(disk, rotatedPath(path, to - 1), rotatedPath(path, to));
  disk.rename(path, rotatedPath(path, 1));
};
