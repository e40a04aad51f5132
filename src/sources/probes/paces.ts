// When the next attempt of each probe is due. An upgrade hands over the remaining pauses: otherwise a probe
// with a long interval might never be attempted. A running attempt is due since its start. The clock is
// monotonic.
import { ms, type Ms } from '../../streams/domain/time.ts';
import { machineUptime, type Uptime } from '../time/clock.ts';

export interface Paces {
  /** Returns the rest of the handed-over pause, at most `longest`, and only once; else `undefined`. */
  readonly handed: (key: string, longest: Ms) => Ms | undefined;
  readonly next: (key: string, pause: Ms) => void;
  readonly over: (key: string) => void;
  /** The rest of each pause, ms, by the key of the watch. */
  readonly all: () => Readonly<Record<string, number>>;
}

/** `given` holds the rest of each pause, ms. */
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
