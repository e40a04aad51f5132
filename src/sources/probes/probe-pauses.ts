// The pauses between two probes of a service. A starting service is probed fast at first. A ready service is
// probed every `after_ready`, or every `interval` if that is not set.
//
// An upgrade hands over the remaining time of each pause. Otherwise frequent upgrades could keep a probe with
// a long interval from ever being attempted. While an attempt is running, the remaining time is 0.
// Rules: `docs/behaviour.md`, "Health checks", "Pauses between probes".
import { machineUptime, type Uptime } from '../clocks.ts';
import { ms, type Ms } from '../../streams/domain/time.ts';
import type { ProbeWatch } from '../../streams/domain/watch.ts';

/**
 * Returns the pause before attempt `number`, which counts from 1. `isQuiet`: nothing listens on the port of
 * the check. The pause may then be longer, because it ends early when a socket begins to listen there.
 */
export const pauseBefore = (
  { check, pace }: Pick<ProbeWatch, 'check' | 'pace'>,
  number: number,
  isQuiet = false,
): Ms => {
  if (pace === 'steady') return typeof check.afterReady === 'number' ? check.afterReady : check.interval;
  if (number === 1) return ms(0);
  const longest = isQuiet ? check.interval : (check.startIntervalMax ?? check.interval);
  return ms(Math.min(check.startInterval * 2 ** (number - 2), longest));
};

export interface Paces {
  /**
   * Returns the remaining time of the pause that was handed over for this probe, at most `longest`;
   * `undefined` if none was handed over. The second call for the same probe returns `undefined`.
   */
  readonly handed: (key: string, longest: Ms) => Ms | undefined;
  readonly next: (key: string, pause: Ms) => void;
  readonly over: (key: string) => void;
  /** Returns how long each pause still lasts, ms, by the key of its probe. */
  readonly all: () => Readonly<Record<string, number>>;
}

/** Creates the record of pauses. `given`: the remaining time of each pause that was handed over, ms. */
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
