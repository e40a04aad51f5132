// Reads the files of a log: forwards by lines, or backwards from the end in blocks, so that the last few
// lines can be shown without reading the whole log. An open file can be read to its end even after it was
// renamed.
// Rules: `docs/behaviour.md`, "Output", "Reading".
import { existsSync, readSync, statSync } from 'node:fs';
import { constants, type FileHandle, open } from 'node:fs/promises';
import { isMissing } from '../../os/errno.ts';
import { messageOf } from '../../streams/domain/errors/thrown.ts';
import { failure } from '../../streams/views/errors/command-failure.ts';
import type { LogHead } from '../../streams/wire/compressed-log-head.ts';
import { compressedPath, rotatedPath } from '../../streams/wire/log-file-names.ts';
import { LONGEST_TEXT } from '../../streams/wire/log-line.ts';
import { compressedFile, type LogHandle } from './compressed-file.ts';

const NEWLINE = 10;
/** The number of bytes that one read requests. It is larger than the longest line. */
const READ_BYTES = 4 * LONGEST_TEXT;

export interface OpenFile {
  readonly handle: LogHandle;
  /** The inode, which identifies the file: it is not reused while the file is open. */
  readonly inode: number;
  /**
   * The head of a compressed file. It contains, for example, the inode that the file had before its
   * compression.
   */
  readonly head?: LogHead;
  /** Offset up to which the file is read, always just after a newline. */
  offset: number;
}

const inodeOf = async (handle: FileHandle): Promise<number> => {
  const found = await handle.stat();
  if (found.isFile()) return found.ino;
  await handle.close();
  throw new Error('it is not a regular file');
};

type Identity = Pick<OpenFile, 'inode' | 'head'>;

/**
 * True if the file has this inode, or had it before its compression. The inode must still be in use, because
 * an unused inode may be given to another file.
 */
export const isFileOf = ({ inode, head }: Identity, wanted: number): boolean =>
  inode === wanted || head?.inode === wanted;

/**
 * True if `file` is the file `before`, which may have been renamed and compressed since. If `before` is
 * compressed, only its present inode is compared: the inode from before its compression may now belong to
 * another file.
 */
export const isSameFile = (file: Identity, before: Identity | undefined): boolean =>
  before !== undefined &&
  (before.head === undefined ? isFileOf(file, before.inode) : file.inode === before.inode);

/** Finds the log file with this inode, at `path` or under a name that rotation and compression give it. */
export const fileWith = async (
  path: string,
  inode: number,
  onDamage?: OnDamage,
): Promise<OpenFile | undefined> =>
  (await findFile(path, (file) => file.inode === inode, onDamage)) ??
  (await findFile(path, (file) => isFileOf(file, inode), onDamage));

const findFile = async (
  path: string,
  isWanted: (file: OpenFile) => boolean,
  onDamage?: OnDamage,
): Promise<OpenFile | undefined> => {
  const active = await openFile(path);
  let found = active === undefined ? await openOlder(path, 0, onDamage) : { file: active, number: 0 };
  while (found !== undefined && !isWanted(found.file)) {
    await found.file.handle.close();
    found = await openOlder(path, found.number, onDamage);
  }
  return found?.file;
};

/** Opens a log file; `undefined` if it does not exist. Throws ERR0701 if it cannot be read. */
export const openFile = async (path: string): Promise<OpenFile | undefined> => {
  const raw = await openRaw(path);
  return raw && { ...raw, offset: 0 };
};

interface RawFile {
  readonly handle: FileHandle;
  readonly inode: number;
}

const openRaw = async (path: string): Promise<RawFile | undefined> => {
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return { handle, inode: await inodeOf(handle) };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw failure({ code: 'ERR0701', file: path, detail: messageOf(error) });
  }
};

/** Called with the file and a reason if a part of a compressed file cannot be read. */
export type OnDamage = (file: string, reason: string) => void;

/** Opens the rotated file with this number, which may be compressed; `undefined` if there is none. */
const openRotated = async (
  path: string,
  number: number,
  onDamage?: OnDamage,
): Promise<OpenFile | undefined> => {
  const name = rotatedPath(path, number);
  const plain = existsSync(name) ? await openFile(name) : undefined;
  if (plain !== undefined) return plain;
  const file = compressedPath(name);
  const raw = existsSync(file) ? await openRaw(file) : undefined;
  if (raw === undefined) return undefined;
  const { handle, head } = await compressedFile(raw.handle, (reason) => onDamage?.(file, reason));
  return { handle, inode: raw.inode, offset: 0, ...(head && { head }) };
};

/**
 * The number of consecutive numbers without a file after which no older file is expected. A gap arises if a
 * file was removed by hand, or a rotation was interrupted.
 */
const WIDEST_GAP = 16;

interface Rotated {
  readonly file: OpenFile;
  readonly number: number;
}

/**
 * Opens the newest rotated file of the log at `path` that has a number above `than`; `undefined` if there is
 * none.
 */
export const openOlder = async (
  path: string,
  than: number,
  onDamage?: OnDamage,
): Promise<Rotated | undefined> => {
  for (let number = than + 1; number <= than + WIDEST_GAP; number += 1) {
    const file = await openRotated(path, number, onDamage);
    if (file !== undefined) return { file, number };
  }
  return undefined;
};

/** Reads up to `length` bytes at an offset. */
export const readAt = async (handle: LogHandle, at: number, length: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), { length, position: at });
  return buffer.subarray(0, bytesRead);
};

/**
 * Reads like `readAt`, but synchronously if the file has a descriptor. For small reads that are few or come
 * from the page cache: a read through the thread pool takes ten times as long.
 */
export const lookAt = (handle: LogHandle, at: number, length: number): Buffer | Promise<Buffer> => {
  if (handle.fd === undefined) return readAt(handle, at, length);
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(handle.fd, bytes, 0, length, at));
};

/** Returns the offset after the last whole line. */
export const endOfLines = async ({ handle }: OpenFile): Promise<number> => {
  let end = (await handle.stat()).size;
  while (end > 0) {
    const start = Math.max(0, end - READ_BYTES);
    const newline = (await readAt(handle, start, end - start)).lastIndexOf(NEWLINE);
    if (newline >= 0) return start + newline + 1;
    end = start;
  }
  return 0;
};

const split = (bytes: Buffer): Buffer[] => {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  if (start < bytes.length) lines.push(bytes.subarray(start));
  return lines;
};

/**
 * Reads the next whole lines, up to a maximum of bytes. A file that has become shorter is read from its
 * start.
 */
export const nextLines = async (file: OpenFile): Promise<readonly Buffer[]> => {
  if ((await file.handle.stat()).size < file.offset) file.offset = 0;
  const bytes = await readAt(file.handle, file.offset, READ_BYTES);
  const whole =
    bytes.length < READ_BYTES ? bytes.lastIndexOf(NEWLINE) + 1 : bytes.lastIndexOf(NEWLINE) + 1 || READ_BYTES;
  file.offset += whole;
  return split(bytes.subarray(0, whole));
};

const BLOCK = 64 * 1024;

/**
 * Returns the lines of `bytes` that surely are whole, newest first. `left`: the length of the part at the
 * start of `bytes` that may be the end of a line.
 */
const cut = (bytes: Buffer): { lines: Buffer[]; left: number } => {
  const lines: Buffer[] = [];
  let end = bytes.length;
  while (end > 0) {
    const newline = bytes.lastIndexOf(NEWLINE, end - 1);
    if (newline < 0) break;
    if (newline + 1 < end) lines.push(bytes.subarray(newline + 1, end));
    end = newline;
  }
  return { lines, left: end };
};

/**
 * Yields the lines before the offset `end` in blocks. The last block of the file comes first, and within a
 * block the last line.
 */
export async function* linesBackwards(handle: LogHandle, end: number): AsyncGenerator<readonly Buffer[]> {
  let left = Buffer.alloc(0);
  for (let at = end; at > 0;) {
    const start = Math.max(0, at - BLOCK);
    const bytes = Buffer.concat([await readAt(handle, start, at - start), left]);
    const found = cut(bytes);
    yield found.lines;
    left = bytes.subarray(0, found.left);
    at = start;
  }
  if (left.length > 0) yield [left];
}

const sizeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.size;

/**
 * Returns the size of a log with all its rotated files, bytes; `undefined` if there is no log or it cannot be
 * read.
 */
export const logBytes = (file: string): number | undefined => {
  try {
    let total = sizeOf(file);
    for (let number = 1, gap = 0; total !== undefined && gap < WIDEST_GAP; number += 1) {
      const path = rotatedPath(file, number);
      const more = sizeOf(path) ?? sizeOf(compressedPath(path));
      gap = more === undefined ? gap + 1 : 0;
      total += more ?? 0;
    }
    return total;
  } catch {
    return undefined;
  }
};
