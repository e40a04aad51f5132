// Replaces a file as a whole or not at all: temporary file beside it, fsync, rename. Whoever reads it sees the old
// content or the new one, also after a power cut.
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeDirectoryAsync } from './make-directory.ts';

const PRIVATE = 0o600;

interface Replacing {
  /** `<file>.bak` keeps what was there, and the new file its mode; else there need be none, and it is its owner's only. */
  readonly backup: boolean;
  /**
   * What lasts when the power goes the next moment: that it is the old content or the new one (an fsync), or surely the new
   * one (another, of the directory). What tells of living processes need not outlive them.
   */
  readonly lasting: 'nothing' | 'content' | 'name';
}

/** Before anything else goes on. Throws when the new content is not on disk; the old one then still is. */
export const replaceFile = (file: string, text: string, { backup, lasting }: Replacing): void => {
  const mode = backup ? statSync(file).mode & 0o777 : PRIVATE;
  if (backup) put(`${file}.bak`, (temporary) => copyFileSync(file, temporary, constants.COPYFILE_EXCL));
  put(file, (temporary) => {
    const write = (descriptor: number): void => writeFileSync(descriptor, text);
    (lasting === 'nothing' ? closed : synced)(openSync(temporary, 'wx', mode), write);
  });
  if (lasting === 'name') synced(openSync(dirname(file), 'r'));
};

/** In the place of what is there, a link too: it is replaced, not followed. */
const put = (file: string, make: (temporary: string) => void): void => {
  const temporary = temporaryOf(file);
  try {
    make(temporary);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
};

type Use = (descriptor: number) => void;

/** Used, and closed in any case. */
const closed = (descriptor: number, use: Use): void => {
  try {
    use(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

const synced = (descriptor: number, use: Use = () => undefined): void =>
  closed(descriptor, () => {
    use(descriptor);
    fsyncSync(descriptor);
  });

/**
 * The same, lasting and without a backup, in the thread pool: a slow disk holds nobody up. Makes missing directories.
 * Rejects when the new content is not on disk; the old one then still is, and nothing is left beside it.
 */
export const replaceFileAsync = async (file: string, text: string): Promise<void> => {
  const directory = dirname(file);
  const temporary = temporaryOf(file);
  await makeDirectoryAsync(directory, 0o700);
  try {
    await syncedAsync(temporary, { flags: 'wx', text });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncedAsync(directory, { flags: 'r' });
};

const syncedAsync = async (
  path: string,
  { flags, text }: { readonly flags: string; readonly text?: string },
): Promise<void> => {
  const handle = await open(path, flags, PRIVATE);
  try {
    if (text !== undefined) await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Swept by its ending, when a crash leaves it. */
const temporaryOf = (file: string): string => `${file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
