// All file system calls for a log file, in one place: a test interrupts the k-th.
import {
  closeSync,
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
import { makeDirectory } from '../../../os/files/make-directory.ts';
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
