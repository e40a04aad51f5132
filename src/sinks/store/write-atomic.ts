// Replaces a file as a whole or not at all: temporary file in the same directory, fsync, rename, fsync of the directory.
// Whoever reads it sees the old content or the new one, also after a power cut (`spec/gaps` §9).
import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Rejects when the new content is not on disk; the old one then still is, and nothing is left beside it. */
export const writeAtomic = async (file: string, text: string): Promise<void> => {
  const directory = dirname(file);
  const temporary = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  try {
    await writeSynced(temporary, text);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(directory);
};

const writeSynced = async (file: string, text: string): Promise<void> => {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};
