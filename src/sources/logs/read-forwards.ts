// Reads the wanted lines of a log across its rotated files, oldest first, block by block, because a whole log
// would not fit into memory.
// Rules: `docs/behaviour.md`, "Output", "Reading".
import type { LogEntry } from '../../streams/wire/log-line.ts';
import type { Wanted } from './line-filter.ts';
import { LineScan } from './wanted-lines.ts';
import { blocksOf } from './log-blocks.ts';
import { endOfLines, fileWith, isSameFile, openOlder, type OpenFile } from './log-files.ts';
import { isOutside, partsInRange } from './time-range.ts';

/**
 * Returns the inodes of the rotated files, oldest first, without files outside the time range. A file keeps
 * its inode when it is renamed. A compressed file has the inode from before its compression in its head.
 */
const rotatedInodes = async (
  path: string,
  active: OpenFile | undefined,
  wanted: Wanted,
): Promise<readonly number[]> => {
  const inodes: number[] = [];
  let last = active;
  for (
    let found = await openOlder(path, 0);
    found !== undefined;
    found = await openOlder(path, found.number)
  ) {
    const { file } = found;
    await file.handle.close();
    // A rotation may have renamed the last file meanwhile. The same file is then found a second time, and
    // skipped.
    if (isSameFile(file, last)) continue;
    last = file;
    if (!isOutside(file, wanted)) inodes.push(file.inode);
  }
  return inodes.reverse();
};

async function* filesOf(
  path: string,
  active: OpenFile | undefined,
  wanted: Wanted,
): AsyncGenerator<OpenFile> {
  for (const inode of await rotatedInodes(path, active, wanted)) {
    const file = await fileWith(path, inode, wanted.onDamage);
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
  /** The open file at `path`. Only its lines before its offset are read. */
  readonly active: OpenFile | undefined;
  /** The size of a block, bytes. */
  readonly block: number;
}

async function* blocksIn(file: OpenFile, { block }: Past, wanted: Wanted): AsyncGenerator<Buffer> {
  for (const part of await partsInRange(file, file.offset, wanted)) yield* blocksOf({ file, ...part }, block);
}

/** Yields the wanted lines of each block. A block without such lines is skipped. */
export async function* readPast(past: Past, wanted: Wanted): AsyncGenerator<readonly LogEntry[]> {
  const scan = new LineScan(wanted);
  for await (const file of filesOf(past.path, past.active, wanted)) {
    scan.skip();
    for await (const lines of blocksIn(file, past, wanted)) {
      const found = scan.take(lines);
      if (found.length > 0) yield found;
    }
  }
  const rest = scan.rest();
  if (rest.length > 0) yield rest;
}
