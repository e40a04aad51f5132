// How long a service was not there when it was last brought to a new run, as its history tells.
import type { Transition } from '../domain/service/service.ts';
import { between, type Ms } from '../domain/time.ts';

/** A pause that was waited for is no measure of how long a restart takes. */
const IDLE: ReadonlySet<string> = new Set(['down', 'backing-off', 'broken', 'casualty', 'scheduled']);

/** From the end of a run to the readiness of the next, the latest there is; else from a start to readiness. */
export const lastOutage = (history: readonly Transition[]): Ms | undefined => {
  const ready = history.findLastIndex(({ to }) => to === 'up');
  const upTo = history.slice(0, ready);
  const from = upTo.findLastIndex(({ to }) => to === 'stopping');
  const idle = upTo.findLastIndex(({ to }) => IDLE.has(to));
  const begin = from > idle ? upTo[from] : upTo[idle + 1];
  const end = history[ready];
  return begin === undefined || end === undefined ? undefined : between(begin.at, end.at);
};
