// The last lines of a service's present run, as evidence for errors such as ERR0102. At most twice LINES
// lines of LINE_BYTES are kept. They are copies, because slices would keep larger buffers alive.
// Rules: `docs/behaviour.md`, "Output".
import { STAMP_LENGTH } from '../../streams/wire/log-line.ts';
import { GrowingBytes } from './growing-bytes.ts';

const LINES = 40;
const LINE_BYTES = 512;
const NEWLINE = 10;
const SPACE = 32;
const END_OF_LINE = Buffer.from([NEWLINE]);
/** Capacity that stays allocated while no line is kept, bytes. */
const IDLE_CAPACITY = 4096;

/** Returns the offset at which the last `LINES` log lines begin. */
const startOfLast = (lines: Buffer): number => {
  let start = lines.length;
  for (let found = 0; found < LINES && start > 0; found += 1)
    start = start > 1 ? lines.lastIndexOf(NEWLINE, start - 2) + 1 : 0;
  return start;
};

/** Returns the texts of complete log lines, without their times and streams. */
export const textsOf = (lines: Buffer): readonly string[] =>
  lines
    .toString('utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => line.slice(line.indexOf(' ', STAMP_LENGTH + 1) + 1));

export class RecentLines {
  readonly #kept = new GrowingBytes(IDLE_CAPACITY);
  #count = 0;

  /** Adds complete log lines with their times. */
  note(lines: Buffer): void {
    let start = startOfLast(lines);
    while (start < lines.length) {
      const end = lines.indexOf(NEWLINE, start);
      this.#keep(lines, start, end);
      start = end + 1;
    }
  }

  /** Returns the last lines without their times, oldest first. */
  last(count: number): readonly string[] {
    if (count <= 0 || this.#count === 0) return [];
    const text = this.#kept.view().toString('utf8').split('\n').slice(0, -1);
    return text.slice(-Math.min(count, LINES));
  }

  clear(): void {
    this.#kept.clear();
    this.#count = 0;
  }

  /** Keeps the text of the log line in [start, end), at most `LINE_BYTES`. */
  #keep(lines: Buffer, start: number, end: number): void {
    if (this.#count === 2 * LINES) this.#dropOldest();
    const text = lines.indexOf(SPACE, start + STAMP_LENGTH + 1) + 1;
    this.#kept.append(lines, text, Math.min(end, text + LINE_BYTES));
    this.#kept.append(END_OF_LINE);
    this.#count += 1;
  }

  #dropOldest(): void {
    const kept = this.#kept.view();
    const rest = Buffer.from(kept.subarray(startOfLast(kept)));
    this.clear();
    this.#kept.append(rest);
    this.#count = LINES;
  }
}
