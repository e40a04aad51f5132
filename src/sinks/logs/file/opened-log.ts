// A log file while it is open. Files end with a whole line: a torn end, left by a crash, is closed with a newline.
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

const NEWLINE = 10;

export interface OpenedLog {
  readonly fd: number;
  readonly inode: number;
  /** Bytes of whole lines in it. */
  size: number;
}

const endsTorn = (fd: number, size: number): boolean => {
  const last = Buffer.alloc(1);
  return size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== NEWLINE;
};

export const openLog = (path: string): OpenedLog => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const fd = openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o600);
  try {
    const { size, ino } = fstatSync(fd);
    return { fd, inode: ino, size: size + (endsTorn(fd, size) ? writeSync(fd, '\n') : 0) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
};

/** Cuts off what was half written after the last whole line. */
export const takeBack = (log: OpenedLog): void => {
  try {
    ftruncateSync(log.fd, log.size);
  } catch {
    // Not every file can be cut; the torn end is then closed when the log is opened again.
  }
};

export const closeLog = (log: OpenedLog): void => closeSync(log.fd);
