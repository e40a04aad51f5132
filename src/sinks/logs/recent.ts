// The last lines of a service's present run, kept in memory as evidence for ERR0102 and its kin. Bounded: however
// much a service prints, no more than LINES × LINE_BYTES stay, and no more than that is ever looked at per chunk.
import { STAMP_LENGTH } from '../../streams/wire/log-line.ts';

const LINES = 20;
const LINE_BYTES = 2048;
const NEWLINE = 10;
const SPACE = 32;

/** The text of the stamped line in [start, end): what follows the stream's name. */
const textOf = (lines: Buffer, start: number, end: number): Buffer => {
  const text = lines.indexOf(SPACE, start + STAMP_LENGTH + 1) + 1;
  return Buffer.from(lines.subarray(text, Math.min(end, text + LINE_BYTES)));
};

/** The last lines of `lines`, newest first. */
const newestFirst = (lines: Buffer): Buffer[] => {
  const found: Buffer[] = [];
  let end = lines.length - 1;
  while (end > 0 && found.length < LINES) {
    const start = lines.lastIndexOf(NEWLINE, end - 1) + 1;
    found.push(textOf(lines, start, end));
    end = start - 1;
  }
  return found;
};

export class RecentLines {
  #kept: readonly Buffer[] = [];

  /** Takes note of whole, stamped lines. */
  note(lines: Buffer): void {
    this.#kept = [...this.#kept, ...newestFirst(lines).reverse()].slice(-LINES);
  }

  /** The last lines as text, without stamps, oldest first. */
  last(count: number): readonly string[] {
    return count > 0 ? this.#kept.slice(-count).map((line) => line.toString('utf8')) : [];
  }

  clear(): void {
    this.#kept = [];
  }
}
