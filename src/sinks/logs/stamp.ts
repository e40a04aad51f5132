// The moment a chunk of output was read, as the text that opens a log line: `2026-11-21T05:30:15.123456Z`.
import { STAMP_LENGTH, stampOf } from '../../streams/wire/log-line.ts';

/** Where the clock has been stepped, the wall clock wins over the monotonic one; microseconds. */
const TOLERATED_DRIFT = 2_000;
/** Lines of one log are not to run backwards for less than a step of the clock. */
const SMALLEST_STEP = 10_000;

/** Writes the present moment into the first `STAMP_LENGTH` bytes of `target`. */
export type Stamp = (target: Buffer) => void;

/** Microseconds since the epoch: as fine as the monotonic clock, never far from the wall clock. */
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

export const stampClock = (): Stamp => {
  const micros = microClock();
  let second = -1;
  let text = Buffer.alloc(0);
  return (target) => {
    const now = micros();
    const present = Math.floor(now / 1_000_000);
    if (present !== second) {
      second = present;
      text = Buffer.from(stampOf(new Date(present * 1000)));
    }
    let rest = now % 1_000_000;
    for (let at = STAMP_LENGTH - 2; at > STAMP_LENGTH - 8; at -= 1) {
      text[at] = 48 + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    text.copy(target);
  };
};
