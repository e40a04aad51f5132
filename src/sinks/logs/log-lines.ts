// Turns raw output into log lines (streams/wire/log-line.ts), one write at a time. The same bytes, time and
// ending always give the same lines. So if a supervisor is killed, the next one can compute the lines again
// and compare them with the log, to find out how much was written. Bytes are handled as Latin-1 text, which
// is faster and converts back unchanged.
// Rules: `docs/behaviour.md`, "Output", "A line".
import type { Ending } from '../../streams/output/output-region.ts';
import {
  headerOf,
  type LogStream,
  LONGEST_TEXT,
  partHeaderOf,
  STAMP_LENGTH,
  stampOf,
} from '../../streams/wire/log-line.ts';

/**
 * The largest difference between the clock below and the wall clock, µs. If the difference is larger, the
 * wall clock was set, and then the clock below is set to the wall clock.
 */
const TOLERATED_DRIFT = 2_000;
/** A step back of the clock by less than this, µs, is ignored, so that times in a log stay in order. */
const SMALLEST_STEP = 10_000;

/** Returns a clock in µs since 1970, as precise as the monotonic clock and close to the wall clock. */
const microClock = (): (() => number) => {
  let anchor = Date.now() * 1000 - performance.now() * 1000;
  let last = 0;
  return () => {
    const wall = Date.now() * 1000;
    let now = Math.floor(anchor + performance.now() * 1000);
    if (now < wall - TOLERATED_DRIFT || now > wall + 1000 + TOLERATED_DRIFT) {
      anchor += wall - now;
      now = wall;
    }
    last = now < last && last - now < SMALLEST_STEP ? last : now;
    return last;
  };
};

/** Returns a function that formats µs as the time of a line. */
const stampText = (): ((micros: number) => string) => {
  let second = -1;
  let text = '';
  return (micros) => {
    const present = Math.floor(micros / 1_000_000);
    if (present !== second) {
      second = present;
      text = stampOf(new Date(present * 1000)).slice(0, STAMP_LENGTH - 7);
    }
    return `${text}${String(micros % 1_000_000).padStart(6, '0')}Z`;
  };
};

/** The clock of output capture, and the format of its times. */
export interface Moments {
  readonly now: () => number;
  readonly text: (micros: number) => string;
}

export const moments = (): Moments => ({ now: microClock(), text: stampText() });

const NEWLINE = 10;

/** Lines for one write to the log, as Latin-1 text. */
export interface Piece {
  readonly lines: string;
  /** The offset in the raw output at which these lines end. */
  readonly cut: number;
  readonly ending: Ending;
}

/** Raw output: the bytes [from, end) of a buffer. */
interface Raw {
  readonly bytes: Buffer;
  readonly from: number;
  readonly end: number;
  /** The maximum size of the next write, bytes. The result has about as many lines as fit. */
  readonly room: number;
  /** How to end an unfinished line at the end of the output. If absent, that line is not returned yet. */
  readonly over?: Exclude<Ending, 'whole'>;
}

/** Returns where to cut a long line: after at most `room` bytes, never within a UTF-8 character. */
const cutAt = (bytes: Buffer, start: number, room: number): number => {
  let at = start + room;
  for (let back = 0; back < 3 && at > start && ((bytes[at] ?? 0) & 0xc0) === 0x80; back += 1) at -= 1;
  return at;
};

export class Liner {
  readonly #whole: string;
  readonly #part: string;

  constructor(stream: LogStream) {
    this.#whole = headerOf(stream).slice(STAMP_LENGTH);
    this.#part = partHeaderOf(stream).slice(STAMP_LENGTH);
  }

  /** Returns the next lines; `undefined` if none is complete. */
  next({ bytes, from, end, room, over }: Raw, stamp: string): Piece | undefined {
    const near = lastNewline(
      bytes,
      from,
      Math.min(end, from + Math.min(Math.max(room, 0), LONGEST_TEXT + 1)),
    );
    const last = near >= from ? near : lastNewline(bytes, from, Math.min(end, from + LONGEST_TEXT + 1));
    if (last >= from) return this.made(bytes, { from, cut: last + 1, ending: 'whole' }, stamp);
    if (end - from > LONGEST_TEXT)
      return this.made(bytes, { from, cut: cutAt(bytes, from, LONGEST_TEXT), ending: 'part' }, stamp);
    return over === undefined || from === end
      ? undefined
      : this.made(bytes, { from, cut: end, ending: over }, stamp);
  }

  /** Returns the log lines of the bytes [from, cut). `ending`: how the last line ends. */
  made(bytes: Buffer, { from, cut, ending }: Stretch, stamp: string): Piece {
    const header = stamp + (ending === 'part' ? this.#part : this.#whole);
    const text = bytes.toString('latin1', from, ending === 'whole' ? cut - 1 : cut);
    const lines = ending === 'whole' ? text.replaceAll('\n', `\n${header}`) : text;
    return { lines: `${header}${lines}\n`, cut, ending };
  }

  /** Returns the log lines of the piece that fit into `room` bytes; `undefined` if none fits. */
  fitting(bytes: Buffer, { piece, from, room }: Fitting, stamp: string): Piece | undefined {
    if (piece.lines.length <= room) return piece;
    const end = room <= 0 ? -1 : piece.lines.lastIndexOf('\n', room - 1);
    return end < 0 ? undefined : this.#first(bytes, { from, count: linesIn(piece.lines, end) }, stamp);
  }

  /** Returns only the first log line of the piece. */
  one(bytes: Buffer, { piece, from }: Omit<Fitting, 'room'>, stamp: string): Piece {
    return piece.ending === 'whole' ? this.#first(bytes, { from, count: 1 }, stamp) : piece;
  }

  #first(bytes: Buffer, { from, count }: { from: number; count: number }, stamp: string): Piece {
    let cut = from;
    for (let line = 0; line < count; line += 1) cut = bytes.indexOf(NEWLINE, cut) + 1;
    return this.made(bytes, { from, cut, ending: 'whole' }, stamp);
  }
}

interface Stretch {
  readonly from: number;
  readonly cut: number;
  readonly ending: Ending;
}

interface Fitting {
  readonly piece: Piece;
  readonly from: number;
  readonly room: number;
}

const lastNewline = (bytes: Buffer, from: number, end: number): number =>
  end === from ? -1 : bytes.lastIndexOf(NEWLINE, end - 1);

const linesIn = (lines: string, end: number): number => {
  let count = 0;
  for (let at = lines.indexOf('\n'); at >= 0 && at <= end; at = lines.indexOf('\n', at + 1)) count += 1;
  return count;
};
