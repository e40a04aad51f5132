// Finds the parts of a log file that may have lines of a time range. Times in a file ascend, except where the
// clock was set back, so bisection is used. To find a place where the clock was set back, the times of at
// least COARSE_PARTS places are compared. A part with descending times is read from end to end.
// Rules: `docs/behaviour.md`, "Output", "Reading".
import { stampOf, STAMP_LENGTH, textStart } from '../../streams/wire/log-line.ts';
import type { Wanted } from './line-filter.ts';
import { lookAt, type OpenFile } from './log-files.ts';

/**
 * The size of the file divided by this number is the size up to which a part outside the range is skipped
 * without being divided. A larger part could hide a place where the clock was set back.
 */
const COARSE_PARTS = 64;
/** The smallest value of that size, bytes: in a small file, parts of up to this size are skipped. */
const COARSE_BYTES = 1024 * 1024;
/** The size up to which a part is not divided, bytes. */
const FINE_BYTES = 256 * 1024;
/** How far times may descend although the clock was not set, ms: a slow disk delays the writing of output. */
const DISORDER_MS = 10_000;
/**
 * The sizes of the two reads that look for a line with a time, bytes. The second read is longer than any
 * line.
 */
const LOOKS = [2048, 160 * 1024];
const NEWLINE = '\n';

interface Span {
  readonly from: number;
  readonly to: number;
}

/** A line with a time. */
interface Mark {
  readonly at: number;
  readonly time: string;
}

/** The lines from one mark up to the next. */
interface Part {
  readonly first: Mark;
  readonly last: Mark;
}

const timeOf = (text: string, start: number): string | undefined =>
  textStart(text, start) > start ? text.slice(start, start + STAMP_LENGTH) : undefined;

/** Returns the first line with a time that begins in [from, to); `undefined` if there is none near `from`. */
const markIn = async ({ handle }: OpenFile, { from, to }: Span): Promise<Mark | undefined> => {
  for (const length of LOOKS) {
    const before = Math.min(from, 1);
    const bytes = await lookAt(handle, from - before, Math.min(length, to - from + before));
    const text = `${before === 0 ? NEWLINE : ''}${bytes.toString('latin1')}`;
    for (let at = text.indexOf(NEWLINE); at >= 0; at = text.indexOf(NEWLINE, at + 1)) {
      const time = timeOf(text, at + 1);
      if (time !== undefined) return { at: from + at, time };
    }
  }
  return undefined;
};

/** Returns the last line with a time that begins before `end`; `undefined` if there is none near `end`. */
export const lastMark = async ({ handle }: OpenFile, end: number): Promise<Mark | undefined> => {
  for (const length of LOOKS) {
    const start = Math.max(0, end - length);
    const bytes = await lookAt(handle, start, end - start);
    const text = `${start === 0 ? NEWLINE : ''}${bytes.toString('latin1')}`;
    const mark = lastIn(text, start === 0 ? -1 : start);
    if (mark !== undefined) return mark;
  }
  return undefined;
};

/** Returns the last line with a time in the text. `offset`: where the text begins in the file. */
const lastIn = (text: string, offset: number): Mark | undefined => {
  for (let at = text.length; at > 0;) {
    at = text.lastIndexOf(NEWLINE, at - 1);
    const time = at < 0 ? undefined : timeOf(text, at + 1);
    if (time !== undefined) return { at: offset + at + 1, time };
  }
  return undefined;
};

const moved = (time: string, ms: number): string => stampOf(new Date(Date.parse(time) + ms));

/**
 * The time range (`since`, `until`), and a wider time range (`early`, `late`), because times may be slightly
 * out of order.
 */
interface Range {
  readonly since: string;
  readonly until: string;
  readonly early: string;
  readonly late: string;
}

const EVER = { since: '', until: '~' };

const rangeOf = ({ since, until }: Wanted): Range => ({
  since: since ?? EVER.since,
  until: until ?? EVER.until,
  early: since === undefined ? EVER.since : moved(since, -DISORDER_MS),
  late: until === undefined ? EVER.until : moved(until, DISORDER_MS),
});

/** True for a compressed file whose head says that it has no line of the time range. */
export const isOutside = ({ head }: Pick<OpenFile, 'head'>, wanted: Wanted): boolean => {
  if (head === undefined || head.first === '') return false;
  const { early, late } = rangeOf(wanted);
  return head.last < early || head.first > late;
};

class Bisection {
  readonly #file: OpenFile;
  readonly #range: Range;
  readonly #coarse: number;
  readonly found: Span[] = [];

  constructor(file: OpenFile, end: number, range: Range) {
    this.#file = file;
    this.#range = range;
    this.#coarse = Math.max(COARSE_BYTES, end / COARSE_PARTS);
  }

  /** Collects the parts that may have lines of the range. */
  async search(part: Part): Promise<void> {
    const size = part.last.at - part.first.at;
    const may = this.#mayHave(part);
    if (!may && size <= this.#coarse) return;
    const middle = this.#isWithin(part) || size <= FINE_BYTES ? undefined : await this.#middle(part);
    if (middle === undefined) this.#add(part);
    else {
      await this.search({ first: part.first, last: middle });
      await this.search({ first: middle, last: part.last });
    }
  }

  #add({ first, last }: Part): void {
    const before = this.found.at(-1);
    if (before?.to === first.at) this.found.splice(-1, 1, { from: before.from, to: last.at });
    else this.found.push({ from: first.at, to: last.at });
  }

  /**
   * Returns the first line with a time after the middle of the part; `undefined` if no such line is near. The
   * part is then not divided.
   */
  async #middle({ first, last }: Part): Promise<Mark | undefined> {
    const from = Math.floor((first.at + last.at) / 2);
    return markIn(this.#file, { from, to: last.at });
  }

  #mayHave({ first, last }: Part): boolean {
    const { early, late } = this.#range;
    return first.time > last.time || (first.time <= late && last.time >= early);
  }

  #isWithin({ first, last }: Part): boolean {
    const { since, until } = this.#range;
    return first.time >= since && last.time <= until && first.time <= last.time;
  }
}

/**
 * Returns the parts of the file before `end` that may have lines of the time range, oldest first. Each part
 * begins at the start of the file, or with a line that has a time.
 */
export const partsInRange = async (file: OpenFile, end: number, wanted: Wanted): Promise<readonly Span[]> => {
  const all = end === 0 ? [] : [{ from: 0, to: end }];
  if (wanted.since === undefined && wanted.until === undefined) return all;
  const [first, last] = [await markIn(file, { from: 0, to: end }), await lastMark(file, end)];
  if (first === undefined || last === undefined) return all;
  const bisection = new Bisection(file, end, rangeOf(wanted));
  if (first.at > 0) bisection.found.push({ from: 0, to: first.at });
  await bisection.search({ first, last: { at: end, time: last.time } });
  return bisection.found;
};
