// Reads the wanted lines of a log across its rotated files, oldest first, block by block: a whole log would
// not fit into memory.
import { stat } from 'node:fs/promises';
import type { LogEntry } from '../../streams/wire/log-line.ts';
import type { Wanted } from './line-filter.ts';
import { LineScan } from './line-scan.ts';
import { blocksOf } from './log-blocks.ts';
import { endOfLines, fileWith, type OpenFile } from './log-files.ts';
import { partsInRange } from './time-range.ts';

/** Returns the inodes of the rotated files, oldest first. They keep them when they are renamed. */
const rotatedInodes = async (path: string, active: number | undefined): Promise<readonly number[]> => {
  const inodes: number[] = [];
  for (let number = 1; ; number += 1) {
    const found = await stat(`${path}.${number}`).catch(() => undefined);
    if (found === undefined) return inodes.reverse();
    // If the file was renamed meanwhile, it is there already.
    if (found.ino !== (inodes.at(-1) ?? active)) inodes.push(found.ino);
  }
};

async function* filesOf(path: string, active: OpenFile | undefined): AsyncGenerator<OpenFile> {
  for (const inode of await rotatedInodes(path, active?.inode)) {
    const file = await fileWith(path, inode);
    if (file === undefined) continue;
    try {
      file.offset = await endOfLines(file);
      yield file;
    } finally {
      await file.handle.close();
    }
  }
  if (active !== undefined) yield active;
}

interface Past {
  readonly path: string;
  /** The open file at `path`: only its lines before its offset count. */
  readonly active: OpenFile | undefined;
  /** Bytes that are read at once. */
  readonly block: number;
}

async function* blocksIn(file: OpenFile, { block }: Past, wanted: Wanted): AsyncGenerator<Buffer> {
  for (const part of await partsInRange(file, file.offset, wanted)) yield* blocksOf({ file, ...part }, block);
}

/** Yields the wanted lines, never an empty list. */
export async function* readPast(past: Past, wanted: Wanted): AsyncGenerator<readonly LogEntry[]> {
  const scan = new LineScan(wanted);
  for await (const file of filesOf(past.path, past.active)) {
    scan.skip();
    for await (const lines of blocksIn(file, past, wanted)) {
      const found = scan.take(lines);
      if (found.length > 0) yield found;
    }
  }
  const rest = scan.rest();
  if (rest.length > 0) yield rest;
}
