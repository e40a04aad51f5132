// Replaces a file completely or not at all: writes a temporary file in the same directory, then renames it. A
// reader sees either the old or the new content.
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
import { makeDirectoryAsync } from './directories.ts';

const PRIVATE = 0o600;

interface Replacing {
  /**
   * True: the old content is kept in `<file>.bak`, and the new file has the mode of the old file. False: only
   * the owner has access to the new file.
   */
  readonly backup: boolean;
  /**
   * What is certain after a power failure.
   * - `nothing`: no fsync. For records of living processes, because a power failure ends these processes too.
   * - `content`: the file has the old or the new content (fsync of the file).
   * - `name`: the file has the new content (fsync also of the directory).
   */
  readonly lasting: 'nothing' | 'content' | 'name';
}

/** Replaces the file synchronously. If that fails, throws and keeps the old content. */
export const replaceFile = (file: string, text: string, { backup, lasting }: Replacing): void => {
  const mode = backup ? statSync(file).mode & 0o777 : PRIVATE;
  if (backup) put(`${file}.bak`, (temporary) => copyFileSync(file, temporary, constants.COPYFILE_EXCL));
  put(file, (temporary) => {
    const write = (descriptor: number): void => writeFileSync(descriptor, text);
    (lasting === 'nothing' ? closed : synced)(openSync(temporary, 'wx', mode), write);
  });
  if (lasting === 'name') synced(openSync(dirname(file), 'r'));
};

/**
 * Calls `make`, which creates a temporary file, and renames this file to `file`. If `file` is a link, the
 * link itself is replaced.
 */
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

/** Calls `use` with the descriptor and closes it, even if `use` throws. */
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
 * Replaces the file durably in the thread pool, so that a slow disk does not block. Creates missing
 * directories. On failure rejects and keeps the old content.
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

/**
 * Returns the name of a temporary file. By the ending `.tmp` the next start finds files left by a crash, and
 * removes them.
 */
const temporaryOf = (file: string): string => `${file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
