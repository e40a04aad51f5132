// Replaces a file by a new text so that there is always a whole one: backup, temporary file beside it, fsync, rename.
import {
  closeSync,
  copyFileSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

const syncDirectory = (directory: string): void => {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

const writeSynced = (path: string, text: string, mode: number): void => {
  const descriptor = openSync(path, 'wx', mode);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/** Leaves what was there as `<path>.bak`. `path` is not a link. */
export const replaceFile = (path: string, text: string): void => {
  const mode = statSync(path).mode & 0o777;
  const temporary = `${path}.${process.pid}.tmp`;
  copyFileSync(path, `${path}.bak`);
  try {
    writeSynced(temporary, text, mode);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncDirectory(dirname(path));
};
