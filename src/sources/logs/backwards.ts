// Reads the lines of a file from its end backwards, one block at a time: showing the last few never reads the
// rest.
import type { FileHandle } from 'node:fs/promises';
import { readAt } from './open-file.ts';

const BLOCK = 64 * 1024;
const NEWLINE = 10;

/**
 * Returns the whole lines of `bytes`, newest first, and the length of the start, which may belong to an
 * earlier line.
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

/** Yields blocks of lines before `end`, each newest first. */
export async function* linesBackwards(handle: FileHandle, end: number): AsyncGenerator<readonly Buffer[]> {
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
