// How long a service was not there when it was last brought to a new run, as its history tells.
import type { Transition } from '../domain/service/service.ts';
import { between, type Ms } from '../domain/time.ts';

/** A pause that was waited for is no measure of how long a restart takes. */
const IDLE: ReadonlySet<string> = new Set(['down', 'backing-off', 'broken', 'casualty', 'scheduled']);

/** What it waits for before a first start keeps it, not how long a start takes. */
const isBegun = ({ to }: Transition): boolean => to !== 'waiting';

/** Behind the readiness of the run before: what is older is of an outage before that. */
const lastRun = (history: readonly Transition[]): readonly Transition[] =>
  history.slice(history.findLastIndex(({ to }) => to === 'up') + 1);

/**
 * From the end of a run to the readiness of the next, the latest there is; else from a start to readiness. Unknown of a run
 * that was ready before the one before it ended.
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
