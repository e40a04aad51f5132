// Reads the last lines of a service's log across its rotated files, without reading more than necessary.
import { endOfLines, linesBackwards, openFile, type OpenFile } from './log-files.ts';
import type { LogEntry } from '../../streams/wire/log-line.ts';
import { BackwardJoiner, type OrderedEntry, readEntry } from './log-entries.ts';
import { isAfter, isBefore, matches, type Wanted } from './line-filter.ts';

export interface TailWanted extends Wanted {
  readonly lines: number;
}

/** Yields blocks of lines, newest first: those of `active` before its offset, then those of rotated files. */
async function* blocksOf(path: string, active: OpenFile | undefined): AsyncGenerator<readonly Buffer[]> {
  if (active !== undefined) yield* linesBackwards(active.handle, active.offset);
  let inode = active?.inode;
  for (let number = 1; ; number += 1) {
    const file = await openFile(`${path}.${number}`);
    if (file === undefined) return;
    try {
      // If the inode is the same, rotation has renamed the file that was just read to this number: skip it.
      if (file.inode !== inode) yield* linesBackwards(file.handle, await endOfLines(file));
      inode = file.inode;
    } finally {
      await file.handle.close();
    }
  }
}

class Tail {
  readonly #wanted: TailWanted;
  readonly #joiner = new BackwardJoiner();
  readonly #found: OrderedEntry[] = [];

  constructor(wanted: TailWanted) {
    this.#wanted = wanted;
  }

  /** Adds the next earlier line. Returns false if enough lines are collected. */
  add(line: Buffer): boolean {
    const entry = readEntry(line);
    if (isBefore(entry, this.#wanted)) return false;
    if (!isAfter(entry, this.#wanted)) this.#keep(this.#joiner.add(entry));
    return this.#found.length < this.#wanted.lines;
  }

  /** Returns the collected lines, oldest first. */
  result(): readonly LogEntry[] {
    for (const rest of this.#joiner.rest()) this.#keep(rest);
    const newestFirst = this.#found.sort((a, b) => a.order - b.order).slice(0, this.#wanted.lines);
    return newestFirst.reverse().map(({ entry }) => entry);
  }

  #keep(whole: OrderedEntry | undefined): void {
    if (whole !== undefined && matches(whole.entry, this.#wanted)) this.#found.push(whole);
  }
}

/** Returns the last matching lines, oldest first. `active`: the open file at `path`, up to its offset. */
export const readTail = async (
  path: string,
  active: OpenFile | undefined,
  wanted: TailWanted,
): Promise<readonly LogEntry[]> => {
  const tail = new Tail(wanted);
  if (wanted.lines === 0) return [];
  for await (const block of blocksOf(path, active)) {
    if (!block.every((line) => tail.add(line))) break;
  }
  return tail.result();
};
