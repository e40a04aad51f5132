// How long a service was unavailable when it last got a new run, from its history.
import type { Transition } from '../domain/service/service.ts';
import { between, type Ms } from '../domain/time.ts';

/** Idle states: time spent there does not tell how long a restart takes. */
const IDLE: ReadonlySet<string> = new Set(['down', 'backing-off', 'broken', 'casualty', 'scheduled']);

/** The wait before a first start does not tell how long a start takes. */
const isBegun = ({ to }: Transition): boolean => to !== 'waiting';

/** History since the previous run was last ready. Older entries belong to an earlier outage. */
const lastRun = (history: readonly Transition[]): readonly Transition[] =>
  history.slice(history.findLastIndex(({ to }) => to === 'up') + 1);

/**
 * The latest time from the end of a run to readiness of the next; else from a start to readiness. `undefined`
 * if the new run was ready before the old one ended.
 */
export const lastOutage = (history: readonly Transition[]): Ms | undefined => {
  const ready = history.findLastIndex(({ to }) => to === 'up');
  const upTo = lastRun(history.slice(0, Math.max(ready, 0)));
  const from = upTo.findLastIndex(({ to }) => to === 'stopping');
  const idle = upTo.findLastIndex(({ to }) => IDLE.has(to));
  const begin = from > idle ? upTo[from] : upTo.slice(idle + 1).find(isBegun);
  const end = history[ready];
  if (begin === undefined || end === undefined || begin.at > end.at) return undefined;
  return between(begin.at, end.at);
};
