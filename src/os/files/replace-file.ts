// Replaces a file completely or not at all: temporary file beside it, fsync, rename. A reader sees the old
// content or the new one, even after a power cut.
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
   * If true, `<file>.bak` keeps the old content and the new file its mode. Else the file may be missing, and
   * becomes private to its owner.
   */
  readonly backup: boolean;
  /**
   * What survives a power cut. `content`: the old content or the new (fsync). `name`: surely the new (fsync
   * of the directory too). Records of living processes need `nothing`.
   */
  readonly lasting: 'nothing' | 'content' | 'name';
}

/** Replaces it synchronously. Throws if the new content is not on disk; the old one is kept then. */
export const replaceFile = (file: string, text: string, { backup, lasting }: Replacing): void => {
  const mode = backup ? statSync(file).mode & 0o777 : PRIVATE;
  if (backup) put(`${file}.bak`, (temporary) => copyFileSync(file, temporary, constants.COPYFILE_EXCL));
  put(file, (temporary) => {
    const write = (descriptor: number): void => writeFileSync(descriptor, text);
    (lasting === 'nothing' ? closed : synced)(openSync(temporary, 'wx', mode), write);
  });
  if (lasting === 'name') synced(openSync(dirname(file), 'r'));
};

/** Puts a new file at the path. A link there is replaced, not followed. */
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

/** Calls `use`, and closes the descriptor in any case. */
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
 * The same, durable and without a backup, in the thread pool, so that a slow disk blocks nothing. Creates
 * missing directories. If the new content cannot be written it rejects, keeps the old one and removes the
 * temporary file.
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

/** The `.tmp` suffix lets the next start remove files left by a crash. */
const temporaryOf = (file: string): string => `${file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
