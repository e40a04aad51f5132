// When the next attempt of each probe is due: the program that takes the place of this one is told how long it is to it, or
// a probe with a long interval would never come to an attempt. One that is under way is due since it began. Nobody sets the
// clock that this goes by.
import { ms, type Ms } from '../../streams/domain/time.ts';
import { machineUptime, type Uptime } from '../time/clock.ts';

export interface Paces {
  /** What is left of the pause that was handed over, `longest` at most, once; `undefined`: there is none. */
  readonly handed: (key: string, longest: Ms) => Ms | undefined;
  readonly next: (key: string, pause: Ms) => void;
  readonly over: (key: string) => void;
  /** What is left of each, ms, by the key of the watch. */
  readonly all: () => Readonly<Record<string, number>>;
}

/** `given`: what is left of each. */
export const pacesFrom = (
  given: Readonly<Record<string, number>> = {},
  now: Uptime = machineUptime,
): Paces => {
  const arrived = now();
  const handed = new Map(Object.entries(given).map(([key, left]) => [key, arrived + left]));
  const due = new Map<string, number>();
  const leftOf = (at: number): Ms => ms(Math.max(0, at - now()));
  return {
    handed: (key, longest) => {
      const at = handed.get(key);
      handed.delete(key);
      return at === undefined ? undefined : ms(Math.min(longest, leftOf(at)));
    },
    next: (key, pause) => void due.set(key, now() + pause),
    over: (key) => void due.delete(key),
    all: () => Object.fromEntries([...due].map(([key, at]) => [key, leftOf(at)])),
  };
};
