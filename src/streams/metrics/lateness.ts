// How late the looks are, which is how busy the supervisor's own loop was: it costs no timer of its own.
import { ms, type Ms } from '../domain/time.ts';

export interface Lateness {
  /** A look at this moment of a clock that is never set; `interval` after the one before it, if all were well. */
  looked(at: Ms, interval: Ms): void;
  /** There was a pause: the next look is the first. */
  paused(): void;
  last(): Ms | undefined;
  /** Of the last minute of looks. */
  most(): Ms | undefined;
}

const LOOKS = 60;

/** Of one row of looks; nothing is known before the second of them. */
export const lateness = (): Lateness => {
  let before: Ms | undefined;
  let late: readonly number[] = [];
  return {
    looked: (at, interval) => {
      if (before !== undefined) late = [...late, Math.max(0, at - before - interval)].slice(-LOOKS);
      before = at;
    },
    paused: () => {
      before = undefined;
    },
    last: () => (late.length === 0 ? undefined : ms(late.at(-1) ?? 0)),
    most: () => (late.length === 0 ? undefined : ms(Math.max(...late))),
  };
};
