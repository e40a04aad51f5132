// The lateness of process scans, which measures the event loop lag without a timer of its own.
import { ms, type Ms } from '../domain/time.ts';

/** The lateness of process scans. */
export interface Lateness {
  /** Records a scan at this time of a monotonic clock; it was due `interval` after the previous one. */
  looked(at: Ms, interval: Ms): void;
  /** Records a pause: the next scan counts as the first. */
  paused(): void;
  last(): Ms | undefined;
  /** Returns the maximum of the last 60 scans. */
  most(): Ms | undefined;
}

const LOOKS = 60;

/** Returns an empty record; nothing is known before the second scan. */
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
