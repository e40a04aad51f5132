// Finds the wanted lines in the bytes of a log, oldest first. If every match of the pattern contains a known
// text, only lines that contain this text are decoded. Otherwise the whole block is decoded, and the pattern
// is tried on each line.
// Rules: `docs/behaviour.md`, "Output", "Reading".
import { isAscii } from 'node:buffer';
import { LONGEST_HEADER, STAMP_LENGTH, textStart, type LogEntry } from '../../streams/wire/log-line.ts';
import { isAfter, isBefore, matches, type Wanted } from './line-filter.ts';
import { Joiner, readEntry } from './join-parts.ts';
import { exactly, searchFor, type Search } from './text-search.ts';

const NEWLINE = 10;
/**
 * When this many lines of a block contain the searched text, it is decided whether such lines are dense in
 * the block.
 */
const SAMPLE = 64;
/**
 * The average distance, in bytes, below which the lines that contain the searched text are dense. Then it is
 * faster to decode the whole block at once.
 */
const DENSE_BYTES = 400;
/**
 * The number of bytes of the log within which a part of a line must be continued. Otherwise the part counts
 * as a whole line.
 */
export const NEAR_BYTES = 256 * 1024;

/**
 * The place of a line in a decoded block. `text`: where the text after the header begins; equals `start` if
 * the line has no header.
 */
interface Place {
  readonly start: number;
  readonly text: number;
  readonly end: number;
}

const isPart = (block: string, { start, text }: Place): boolean => text > start && block[text - 2] === '+';

const entryAt = (block: string, place: Place): LogEntry => {
  const { start, text, end } = place;
  const continues = isPart(block, place);
  return {
    at: text === start ? '' : block.slice(start, start + STAMP_LENGTH),
    stream: text === start ? 'stdout' : block.slice(start + STAMP_LENGTH + 1, text - (continues ? 2 : 1)),
    text: block.slice(text, end),
    continues,
  };
};

/** Returns the beginning of the line that contains this offset. */
const startOfLine = (lines: Buffer, offset: number): number =>
  offset === 0 ? 0 : lines.lastIndexOf(NEWLINE, offset - 1) + 1;

const endOfLine = (lines: Buffer, offset: number): number => {
  const end = lines.indexOf(NEWLINE, offset);
  return end < 0 ? lines.length : end;
};

/** True if these bytes contain a part of a line that has a continuation. */
export const hasPart = (lines: Buffer): boolean => {
  for (let at = lines.indexOf('+ '); at >= 0; at = lines.indexOf('+ ', at + 2)) {
    const start = startOfLine(lines, at);
    if (at - start > LONGEST_HEADER) continue;
    if (textStart(lines.toString('latin1', start, at + 2), 0) === at + 2 - start) return true;
  }
  return false;
};

/** Calls `take` with the place of each line that is not empty. */
const eachLine = (block: string, take: (place: Place) => void): void => {
  for (let start = 0; start < block.length;) {
    const newline = block.indexOf('\n', start);
    const end = newline < 0 ? block.length : newline;
    if (end > start) take({ start, text: textStart(block, start), end });
    start = end + 1;
  }
};

/**
 * Returns the lines that contain a hit, which is an offset that `nextHit` returns. Returns `undefined` if the
 * hits are so dense that it is faster to decode all lines.
 */
const linesWith = (lines: Buffer, nextHit: (from: number) => number): readonly Buffer[] | undefined => {
  const found: Buffer[] = [];
  for (let at = nextHit(0); at >= 0;) {
    if (found.length === SAMPLE && at < SAMPLE * DENSE_BYTES) return undefined;
    const end = endOfLine(lines, at);
    found.push(lines.subarray(startOfLine(lines, at), end));
    at = nextHit(end);
  }
  return found;
};

const copyOf = (text: string): string => Buffer.from(text).toString();

/**
 * Copies an entry with its texts. The original texts are slices of the block, and keep the whole block in
 * memory.
 */
const copied = ({ at, stream, text, continues }: LogEntry): LogEntry => ({
  at: copyOf(at),
  stream: copyOf(stream),
  text: copyOf(text),
  continues,
});

/** Returns a search for the lines that may be wanted; `undefined` if any line may be wanted. */
const searchOf = ({ grep, stream }: Wanted): Search | undefined =>
  (grep && searchFor(grep)) ?? (stream === undefined ? undefined : exactly([`Z ${stream} `]));

export class LineScan {
  readonly #wanted: Wanted;
  readonly #search: Search | undefined;
  readonly #isRanged: boolean;
  /**
   * True if the wanted lines may be few. They are then copied, so that they do not keep all blocks in memory.
   */
  readonly #isSparse: boolean;
  readonly #joiner = new Joiner();
  /**
   * Time of the last line that has a time. The lines after it that have no time count as written at this
   * time.
   */
  #at = '';
  /** How many bytes were read since the joiner began to wait for the continuation of a part. */
  #waited = 0;

  constructor(wanted: Wanted) {
    this.#wanted = wanted;
    this.#search = searchOf(wanted);
    this.#isSparse = wanted.grep !== undefined || wanted.stream !== undefined;
    this.#isRanged = wanted.since !== undefined || wanted.until !== undefined;
  }

  /** Forgets the time of the last line. Call it if the next block does not follow the last one in the log. */
  skip(): void {
    this.#at = '';
  }

  /** Returns the wanted lines of the next block, which consists of whole lines. */
  take(lines: Buffer): readonly LogEntry[] {
    const found = this.#hits(lines) ?? this.#all(lines);
    this.#waited = this.#joiner.isOpen ? this.#waited + lines.length : 0;
    return this.#waited > NEAR_BYTES ? [...found, ...this.rest()] : found;
  }

  /** Returns the wanted lines that wait for their continuation. */
  rest(): readonly LogEntry[] {
    this.#waited = 0;
    return this.#joiner.rest().filter((entry) => matches(entry, this.#wanted));
  }

  /**
   * Returns the wanted lines of a block, found by the searched text; `undefined` if every line must be
   * decoded.
   */
  #hits(lines: Buffer): readonly LogEntry[] | undefined {
    const entries = this.#withText(lines);
    if (!this.#isRanged) return entries?.filter((entry) => matches(entry, this.#wanted));
    // A line without a time has the time of the line before it, which is not decoded here.
    if (entries === undefined || entries.some(({ at }) => at === '')) return undefined;
    this.#at = lastTime(lines) ?? this.#at;
    return entries.filter((entry) => this.#isWithin(entry.at) && matches(entry, this.#wanted));
  }

  /**
   * Returns the lines that contain the searched text; `undefined` if they are dense, or if lines were written
   * in parts.
   */
  #withText(lines: Buffer): readonly LogEntry[] | undefined {
    if (this.#search === undefined || this.#joiner.isOpen || hasPart(lines)) return undefined;
    return linesWith(lines, this.#search(lines))?.map(readEntry);
  }

  #all(lines: Buffer): readonly LogEntry[] {
    const block = lines.toString(isAscii(lines) ? 'latin1' : 'utf8');
    const found: LogEntry[] = [];
    eachLine(block, (place) => {
      if (this.#isRanged && place.text > place.start)
        this.#at = block.slice(place.start, place.start + STAMP_LENGTH);
      const entry = this.#isWithin(this.#at) ? this.#entry(block, place) : undefined;
      if (entry !== undefined) found.push(entry);
    });
    return this.#isSparse ? found.map(copied) : found;
  }

  #entry(block: string, place: Place): LogEntry | undefined {
    const { grep } = this.#wanted;
    if (this.#joiner.isOpen || isPart(block, place)) return this.#joined(entryAt(block, place));
    if (grep !== undefined && !grep.test(block.slice(place.text, place.end))) return undefined;
    const entry = entryAt(block, place);
    return this.#wanted.stream === undefined || this.#wanted.stream === entry.stream ? entry : undefined;
  }

  #joined(part: LogEntry): LogEntry | undefined {
    const entry = this.#joiner.add(part);
    return entry !== undefined && matches(entry, this.#wanted) ? entry : undefined;
  }

  #isWithin(at: string): boolean {
    if (!this.#isRanged) return true;
    return !isBefore({ at }, this.#wanted) && !isAfter({ at }, this.#wanted);
  }
}

/** Returns the time of the last line that has one. */
const lastTime = (lines: Buffer): string | undefined => {
  for (let end = lines.length; end > 0;) {
    const start = startOfLine(lines, end - 1);
    const line = lines.toString('latin1', start, Math.min(end, start + LONGEST_HEADER));
    if (textStart(line, 0) > 0) return line.slice(0, STAMP_LENGTH);
    end = start;
  }
  return undefined;
};
