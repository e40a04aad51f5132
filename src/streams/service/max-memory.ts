// The limit `max_memory`: when the memory of a run is measured, since when it has been over the limit, and
// whether a run over the limit is replaced.
// Rules: `docs/behaviour.md`, "Restarting".
import type { ServiceError } from '../domain/errors/error.ts';
import type { Run } from '../domain/service/service-run.ts';
import type { ServiceOrRun } from '../domain/service/service.ts';
import { ms, type Ms } from '../domain/time.ts';
import { STAY, type Change, type Situation } from './service-input.ts';

/** The shortest and longest time between two measurements of memory, ms. */
const [CLOSEST, WIDEST] = [1_000, 10_000];

/**
 * Returns the time between two measurements of a ready run's memory, ms; `undefined` if its memory is not
 * measured.
 */
export const measuringInterval = ({ spec, wanted }: ServiceOrRun): Ms | undefined => {
  const { maxMemory, maxMemoryFor, restartPolicy, kind } = spec;
  if (maxMemory === undefined || maxMemoryFor === undefined) return undefined;
  if (restartPolicy === 'never' || kind === 'cron' || wanted === 'down') return undefined;
  return ms(Math.min(WIDEST, Math.max(CLOSEST, maxMemoryFor / 3)));
};

/** Records since when the memory of the run has been over `max_memory`. */
export const measured = ({ service, state, input, context }: Situation<'up', 'measured'>): Change => {
  const { overweight, ...rest } = state;
  const { bytes } = input;
  const isOver = bytes > (service.spec.maxMemory ?? Infinity);
  if (!isOver) return overweight === undefined ? STAY : { to: rest };
  return overweight?.bytes === bytes
    ? STAY
    : { to: { ...rest, overweight: { since: overweight?.since ?? context.at, bytes } } };
};

/** Returns the error of a run with more memory than `max_memory`; `undefined` for any other run. */
export const memoryError = ({ spec, actual }: Run): ServiceError | undefined => {
  const { id: service, maxMemory: limit, maxMemoryFor: length } = spec;
  const bytes = actual.tag === 'up' ? actual.overweight?.bytes : undefined;
  return bytes === undefined || limit === undefined || length === undefined
    ? undefined
    : { code: 'ERR0120', service, bytes, limit, length };
};

/**
 * True if a run over `max_memory` is no longer replaced: `max_restarts` new runs were tried, and the last one
 * failed. The present run then continues, because it is the only run of the service.
 */
export const isReplacedInVain = ({ spec, attempts, rollouts }: ServiceOrRun): boolean =>
  attempts > 0 && attempts >= spec.maxRestarts && rollouts?.at(-1)?.outcome === 'failed';

/**
 * True if a run that stays over `max_memory` for too long must be replaced. False during a rollout, because
 * the rollout replaces the run.
 */
export const isReplacedInTime = (service: ServiceOrRun): boolean =>
  service.rollout === undefined && !isReplacedInVain(service);
