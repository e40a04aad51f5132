// Reads the last wanted lines of a log across its rotated files, in chunks from the end back. The first chunk
// is small, and each further chunk is larger. No chunk begins within a line that was written in parts.
//
// Rules: `docs/behaviour.md`, "Output", "Reading".
import type { LogEntry } from '../../streams/wire/log-line.ts';
import type { Wanted } from './line-filter.ts';
import { LineScan } from './wanted-lines.ts';
import { blocksOf, lineStart, SIZES, unfinishedAt, type Sizes, type FileRange } from './log-blocks.ts';
import { endOfLines, isSameFile, openOlder, type OpenFile } from './log-files.ts';
import { isOutside, lastMark, partsInRange } from './time-range.ts';

export interface TailWanted extends Wanted {
  readonly lines: number;
  readonly sizes?: Sizes;
}

/**
 * The factor by which a chunk is larger than the chunk that was read before it. `MOST_BYTES` limits its size.
 */
const GROWTH = 4;
const MOST_BYTES = 64 * 1024 * 1024;

/** A file of the log, with the offset up to which it is not read yet. */
interface Unread {
  readonly file: OpenFile;
  end: number;
}

/** The files of a log from the newest on. A file is opened when it is needed. */
class Files {
  readonly #path: string;
  readonly #active: OpenFile | undefined;
  readonly #wanted: Wanted;
  readonly #files: Unread[] = [];
  #number = 0;

  constructor(path: string, active: OpenFile | undefined, wanted: Wanted) {
    this.#path = path;
    this.#wanted = wanted;
    this.#active = active;
    if (active !== undefined) this.#files.push({ file: active, end: active.offset });
  }

  async at(index: number): Promise<Unread | undefined> {
    while (this.#files.length <= index) {
      const older = await openOlder(this.#path, this.#number, this.#wanted.onDamage);
      if (older === undefined) return undefined;
      const { file } = older;
      this.#number = older.number;
      // A rotation may have renamed the last file to this number meanwhile. Then the same file was opened a
      // second time.
      if (isSameFile(file, this.#files.at(-1)?.file)) await file.handle.close();
      // A compressed file outside the time range counts as empty, and is not decompressed.
      else this.#files.push({ file, end: isOutside(file, this.#wanted) ? 0 : await endOfLines(file) });
    }
    return this.#files[index];
  }

  /** Closes a file that is no longer needed, except the active file. */
  async release(index: number): Promise<void> {
    const file = this.#files[index]?.file;
    if (file !== this.#active) await file?.handle.close();
  }

  async close(from: number): Promise<void> {
    for (let index = from; index < this.#files.length; index += 1) await this.release(index);
  }
}

interface Start {
  readonly index: number;
  readonly from: number;
}

class Backwards {
  readonly #files: Files;
  readonly #wanted: TailWanted;
  readonly #sizes: Sizes;
  #size: number;

  constructor(files: Files, wanted: TailWanted) {
    this.#files = files;
    this.#wanted = wanted;
    this.#sizes = wanted.sizes ?? SIZES;
    this.#size = this.#sizes.first;
  }

  /**
   * Yields the chunks of the log, the newest first. Within a chunk, the stretches are in the order of the
   * log.
   */
  async *chunks(): AsyncGenerator<readonly FileRange[]> {
    let index = 0;
    try {
      for (let unread; (unread = await this.#files.at(index)) !== undefined; index += 1) {
        yield* this.#ofFile(index, unread);
        await this.#files.release(index);
      }
    } finally {
      await this.#files.close(index);
    }
  }

  async *#ofFile(index: number, unread: Unread): AsyncGenerator<readonly FileRange[]> {
    if (unread.end === 0) return;
    const parts = await partsInRange(unread.file, unread.end, this.#wanted);
    for (const { from, to } of parts.toReversed()) {
      unread.end = Math.min(unread.end, to);
      while (unread.end > from) {
        const start = await this.#start(unread, from);
        yield await this.#chunk(index, await this.#finished({ index, from: start }));
        this.#size = Math.min(this.#size * GROWTH, MOST_BYTES);
      }
    }
  }

  /**
   * Returns the offset at which the next chunk begins: the start of a line and, if there is a time range, of
   * a line that has a time.
   */
  async #start({ file, end }: Unread, least: number): Promise<number> {
    const at = Math.max(least, end - this.#size);
    const { since, until } = this.#wanted;
    if (at === least) return least;
    if (since === undefined && until === undefined) return lineStart(file, at, least);
    return Math.max(least, (await lastMark(file, at))?.at ?? least);
  }

  /**
   * Moves a start back, if necessary into an older file, to the beginning of a line that is incomplete before
   * it.
   */
  async #finished(start: Start): Promise<Start> {
    let { index, from } = start;
    for (;;) {
      const isHead = from === 0;
      const before = await this.#files.at(isHead ? index + 1 : index);
      if (before === undefined) return { index, from };
      const at = isHead ? before.end : from;
      const open = await unfinishedAt(before.file, at, this.#sizes.near);
      if (open === at) return { index, from };
      if (isHead) index += 1;
      from = open;
    }
  }

  /** Returns the unread stretches between a start and the end of the file `index`, and marks them as read. */
  async #chunk(index: number, start: Start): Promise<readonly FileRange[]> {
    const chunk: FileRange[] = [];
    for (let one = start.index; one >= index; one -= 1) {
      const unread = await this.#files.at(one);
      if (unread === undefined) continue;
      const from = one === start.index ? start.from : 0;
      chunk.push({ file: unread.file, from, to: unread.end });
      unread.end = from;
    }
    return chunk;
  }
}

/**
 * Returns the wanted lines of a chunk; if there are more than twice as many as wanted, only the last of them.
 */
const linesIn = async (chunk: readonly FileRange[], wanted: TailWanted): Promise<readonly LogEntry[]> => {
  const scan = new LineScan(wanted);
  const found: LogEntry[] = [];
  for (const stretch of chunk) {
    if (stretch.from === 0) scan.skip();
    for await (const block of blocksOf(stretch, (wanted.sizes ?? SIZES).block)) {
      for (const entry of scan.take(block)) found.push(entry);
      if (found.length > 2 * wanted.lines) found.splice(0, found.length - wanted.lines);
    }
  }
  return [...found, ...scan.rest()];
};

/**
 * Returns the last matching lines, oldest first. `active` is the open file at `path`. Only its lines before
 * its offset are read.
 */
export const readTail = async (
  path: string,
  active: OpenFile | undefined,
  wanted: TailWanted,
): Promise<readonly LogEntry[]> => {
  const chunks: (readonly LogEntry[])[] = [];
  let count = 0;
  if (wanted.lines === 0) return [];
  for await (const chunk of new Backwards(new Files(path, active, wanted), wanted).chunks()) {
    const found = await linesIn(chunk, wanted);
    chunks.push(found);
    count += found.length;
    if (count >= wanted.lines) break;
  }
  const all = chunks.reverse().flat();
  return count > wanted.lines ? all.slice(-wanted.lines) : all;
};
