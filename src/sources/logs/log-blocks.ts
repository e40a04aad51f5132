// Reads stretches (ranges of bytes) of a log in blocks of whole lines, and finds the offsets at which a
// stretch can begin.
// Rules: `docs/behaviour.md`, "Output", "Reading".
import { readEntry } from './join-parts.ts';
import { type OpenFile, readAt } from './log-files.ts';
import { hasPart, NEAR_BYTES } from './wanted-lines.ts';

const NEWLINE = 10;

/** The bytes in [from, to) of a file. They are whole lines. */
export interface FileRange {
  readonly file: OpenFile;
  readonly from: number;
  readonly to: number;
}

/** Sizes in bytes. Tests use smaller sizes. */
export interface Sizes {
  /** Size of a block. A longer line, which `sup` does not write, is cut. */
  readonly block: number;
  /** How many bytes are read first from the end of the log. Each further read is larger. */
  readonly first: number;
  /** How many bytes back the beginning of an unfinished line is searched for. */
  readonly near: number;
}

export const SIZES: Sizes = { block: 1024 * 1024, first: 64 * 1024, near: NEAR_BYTES };

/**
 * Returns how many of these bytes belong to whole lines. `isAll`: the bytes go up to the end of the stretch.
 * If the bytes contain no newline, the line is longer than a block and is cut.
 */
const wholeLines = (bytes: Buffer, isAll: boolean): number =>
  isAll ? bytes.length : bytes.lastIndexOf(NEWLINE) + 1 || bytes.length;

/**
 * Reads the block that begins at an offset into a buffer. Returns the part of the buffer with the whole
 * lines.
 */
const blockAt = async ({ file, to }: FileRange, at: number, into: Buffer): Promise<Buffer> => {
  const length = Math.min(into.length, to - at);
  const { bytesRead } = await file.handle.read(into, { length, position: at });
  const bytes = into.subarray(0, bytesRead);
  return bytes.subarray(0, wholeLines(bytes, at + bytesRead === to));
};

/**
 * Yields a stretch in blocks of whole lines. While the caller uses a block, the next block is read into a
 * second buffer. A block is valid only until the caller requests the next block, because the buffer is
 * reused. Ends early if the file has become shorter.
 */
export async function* blocksOf(stretch: FileRange, size: number): AsyncGenerator<Buffer> {
  const { from, to } = stretch;
  const buffers = [0, 1].map(() => Buffer.allocUnsafeSlow(Math.min(size, to - from)));
  const read = (at: number, turn: number): Promise<Buffer> =>
    at < to ? blockAt(stretch, at, buffers[turn % 2] ?? Buffer.alloc(0)) : Promise.resolve(Buffer.alloc(0));
  let at = from;
  let block = await read(at, 0);
  for (let turn = 1; block.length > 0; turn += 1) {
    at += block.length;
    const next = read(at, turn);
    // If the caller stops after this block, nothing awaits the read of the next block. Without this handler,
    // an error of that read would be unhandled.
    next.catch(() => undefined);
    yield block;
    block = await next;
  }
}

/** Returns the last offset in [least, at] at which a line begins. */
export const lineStart = async ({ handle }: OpenFile, at: number, least: number): Promise<number> => {
  for (let end = at; end > least;) {
    const start = Math.max(least, end - SIZES.first);
    const newline = (await readAt(handle, start, end - start)).lastIndexOf(NEWLINE);
    if (newline >= 0) return start + newline + 1;
    end = start;
  }
  return least;
};

/**
 * Returns the offset at which the first incomplete line begins: a line that was written in parts and has no
 * last part in these bytes. If all lines are complete, returns the length of the bytes.
 */
const openPart = (lines: Buffer): number => {
  const open = new Map<string, number>();
  for (let start = 0; start < lines.length;) {
    const newline = lines.indexOf(NEWLINE, start);
    const end = newline < 0 ? lines.length : newline;
    const { stream, continues } = readEntry(lines.subarray(start, end));
    if (!continues) open.delete(stream);
    else if (!open.has(stream)) open.set(stream, start);
    start = end + 1;
  }
  return Math.min(lines.length, ...open.values());
};

/**
 * Returns the offset at which the first line begins that is incomplete before `at`; `at` if there is no such
 * line.
 */
export const unfinishedAt = async ({ handle }: OpenFile, at: number, near: number): Promise<number> => {
  if (at === 0) return at;
  const start = Math.max(0, at - near);
  const bytes = await readAt(handle, start, at - start);
  const first = start === 0 ? 0 : bytes.indexOf(NEWLINE) + 1;
  const lines = bytes.subarray(first);
  return hasPart(lines) ? start + first + openPart(lines) : at;
};
