// The moment a chunk of output was read, as the text that opens a log line: `2026-11-21T05:30:15.123456Z`.
import { STAMP_LENGTH, stampOf } from '../../streams/wire/log-line.ts';

/** Beyond this difference the wall clock was stepped, and wins over the monotonic one; microseconds. */
const TOLERATED_DRIFT = 2_000;
/** Smaller backward steps are ignored, so that a log's stamps stay in order; microseconds. */
const SMALLEST_STEP = 10_000;

/** Writes the present moment into the first `STAMP_LENGTH` bytes of `target`. */
export type Stamp = (target: Buffer) => void;

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

export const stampOn =
  ({ now, text }: Moments): Stamp =>
  (target) =>
    void target.write(text(now()), 'latin1');
