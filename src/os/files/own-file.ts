// Reads and writes files of this program in directories where other users may create files too. The checks
// are made on the open descriptor, so the file cannot be exchanged between check and use. A FIFO or device
// never blocks.
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  type Stats,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { errnoOf, isMissing } from '../errno.ts';

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_TRUNC } = constants;

const PRIVATE = 0o600;

/**
 * The flags of open(2) for reading. With these flags, and with the flags for appending below, a symbolic link
 * is refused and opening never blocks.
 */
export const READ_OWN = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
const APPEND_OWN = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;

const ROOT = 0;

/** Opens a file without blocking. Throws for a FIFO or socket, where open(2) or read(2) could block. */
export const openAtOnce = (path: string, flags: number): number => {
  const descriptor = descriptorOf(path, flags);
  if (descriptor !== undefined && !fstatSync(descriptor).isFIFO()) return descriptor;
  if (descriptor !== undefined) closeSync(descriptor);
  throw new Error(`${path} is a FIFO or a socket, not a file`);
};

/** Returns the descriptor; `undefined` if the path is a FIFO without a reader, or a socket. */
const descriptorOf = (path: string, flags: number): number | undefined => {
  try {
    return openSync(path, flags | O_NONBLOCK, PRIVATE);
  } catch (error) {
    if (errnoOf(error) === 'ENXIO') return undefined;
    throw error;
  }
};

/** Opens the file, returns the result of `use`, and closes the file. */
const withOpen = <T>(path: string, flags: number, use: (descriptor: number) => T): T => {
  const descriptor = openAtOnce(path, flags);
  try {
    return use(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

export const readAtOnce = (path: string): Buffer =>
  withOpen(path, O_RDONLY, (descriptor) => readFileSync(descriptor));

/** Replaces the content of a file in place. A missing file is created with access for its owner only. */
export const writeAtOnce = (path: string, text: string): void =>
  withOpen(path, O_WRONLY | O_CREAT | O_TRUNC, (descriptor) => writeFileSync(descriptor, text));

/** Returns why the open file is not trusted; `undefined` for a regular file of this user or root. */
export const notOurs = (found: Pick<Stats, 'uid' | 'isFile'>): string | undefined => {
  if (!found.isFile()) return 'it is not a regular file';
  return found.uid === process.getuid?.() || found.uid === ROOT
    ? undefined
    : `it is owned by user ${found.uid}, and this is user ${process.getuid?.() ?? ROOT}`;
};

/**
 * Returns why this process must not append to the open file, for example because it has several hard links.
 */
const notOursToWrite = (found: Pick<Stats, 'uid' | 'isFile' | 'nlink'>): string | undefined => {
  if (!found.isFile()) return 'it is not a regular file';
  const uid = process.getuid?.() ?? ROOT;
  if (found.uid !== uid) return `it is owned by user ${found.uid}, and this is user ${uid}`;
  return found.nlink === 1 ? undefined : `it has ${found.nlink} names (hard links), and must have one`;
};

/** Returns the text of the file, `undefined` if it does not exist, or an error if it cannot be read. */
export const textIfThere = (file: string): string | Error | undefined => {
  try {
    return readAtOnce(file).toString();
  } catch (error) {
    if (isMissing(error)) return undefined;
    return error instanceof Error ? error : new Error(String(error));
  }
};

/** Overwrites the beginning of the file and does not truncate it. Throws for a link or a FIFO. */
export const overwrite = (file: string, text: string): void => {
  const { O_WRONLY, O_CREAT, O_NOFOLLOW } = constants;
  const descriptor = openAtOnce(file, O_WRONLY | O_CREAT | O_NOFOLLOW);
  try {
    writeSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
};

const sizeOf = async (file: FileHandle, path: string): Promise<number> => {
  const found = await file.stat();
  const trouble = notOursToWrite(found);
  if (trouble !== undefined) throw new Error(`${path} is not appended to: ${trouble}`);
  return found.size;
};

/**
 * Appends the whole text or nothing. Creates a missing file. If a write fails, rejects and restores the old
 * size if possible. Refuses links, FIFOs, files of other users, and files with several hard links.
 */
export const appendWhole = async (path: string, text: string): Promise<void> => {
  const file = await open(path, APPEND_OWN, PRIVATE);
  try {
    const size = await sizeOf(file, path);
    try {
      await file.writeFile(text);
    } catch (error) {
      await file.truncate(size).catch(() => undefined);
      throw error;
    }
  } finally {
    await file.close();
  }
};
