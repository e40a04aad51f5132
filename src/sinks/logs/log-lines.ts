// Turns raw output into log lines (streams/wire/log-line.ts), a piece at a time: as much as one write to the
// log holds. A line opens with the moment its chunk was read: `2026-11-21T05:30:15.123456Z`. The same bytes,
// moment and ending make the same lines, so that a supervisor can tell how much of a killed one's write is
// done. Latin-1 turns bytes into characters and back unchanged, and strings are built faster than bytes.
// Rules: `docs/behaviour.md`, "Output", "A line".
import type { Ending } from '../../streams/output/region.ts';
import {
  headerOf,
  type LogStream,
  LONGEST_TEXT,
  partHeaderOf,
  STAMP_LENGTH,
  stampOf,
} from '../../streams/wire/log-line.ts';

/** Beyond this difference the wall clock was stepped, and wins over the monotonic one; microseconds. */
const TOLERATED_DRIFT = 2_000;
/** Smaller backward steps are ignored, so that a log's stamps stay in order; microseconds. */
const SMALLEST_STEP = 10_000;

/** A clock in microseconds since the epoch: as fine as the monotonic clock, never far from the wall clock. */
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

/** Formats microseconds as the stamp that opens a line. */
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

/** The moments of one capture, and their text. */
export interface Moments {
  readonly now: () => number;
  readonly text: (micros: number) => string;
}

export const moments = (): Moments => ({ now: microClock(), text: stampText() });

const NEWLINE = 10;

/** Lines for one write, in Latin-1. */
export interface Piece {
  readonly lines: string;
  /** End of the output that the lines are made of. */
  readonly cut: number;
  readonly ending: Ending;
}

/** Output that will become lines. */
interface Raw {
  readonly bytes: Buffer;
  readonly from: number;
  readonly end: number;
  /** More lines than fit into this many bytes are not needed. */
  readonly room: number;
  /** Set at the end of the output: an unfinished line counts too. */
  readonly over?: Exclude<Ending, 'whole'>;
}

/** Where to cut at most `room` bytes off from `start` on without splitting a UTF-8 character. */
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

  /** The next lines; `undefined` while none is complete. */
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

  /** The lines of [from, cut), which end as `ending` says. */
  made(bytes: Buffer, { from, cut, ending }: Stretch, stamp: string): Piece {
    const header = stamp + (ending === 'part' ? this.#part : this.#whole);
    const text = bytes.toString('latin1', from, ending === 'whole' ? cut - 1 : cut);
    const lines = ending === 'whole' ? text.replaceAll('\n', `\n${header}`) : text;
    return { lines: `${header}${lines}\n`, cut, ending };
  }

  /** The whole lines that fit into `room`; `undefined` if not even the first does. */
  fitting(bytes: Buffer, { piece, from, room }: Fitting, stamp: string): Piece | undefined {
    if (piece.lines.length <= room) return piece;
    const end = room <= 0 ? -1 : piece.lines.lastIndexOf('\n', room - 1);
    return end < 0 ? undefined : this.#first(bytes, { from, count: linesIn(piece.lines, end) }, stamp);
  }

  /** The first line alone. */
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
