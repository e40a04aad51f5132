// The small cells of the state table: inputs without effect, and those that need only one line.
// Rules: `docs/behaviour.md`, "Schedules", "If a run is still alive".
import type { ServiceError } from '../domain/errors/error.ts';
import type { Tag } from '../domain/service/service.ts';
import { betweenRuns, wait } from './state-without-run.ts';
import { STAY, type InputType, type Change, type Situation } from './service-input.ts';
import { leftOut, passed, peaked, rescheduled } from './schedule.ts';

export type Cell<T extends Tag, I extends InputType> = (situation: Situation<T, I>) => Change;

/** For an input that can arrive here and changes nothing. */
export const ignored = (): Change => STAY;

/** For an input that never arrives here. It would be harmless. */
export const impossible = (): Change => STAY;

/** The input is recorded and changes no state. */
export const noted = (): Change => ({ patch: {} });

/** A boundary came while the previous run was not over; it is recorded as an overlap. */
export const overlap = ({ service, input, context }: Situation<Tag, 'rang'>): Change => ({
  patch: { schedule: passed(rescheduled(service, context.at), input.due, 'overlap') },
});

/** A boundary came while the service still waited to start; it is recorded as missed. */
export const miss = ({ service, input, context }: Situation<'waiting', 'rang'>): Change => ({
  patch: { schedule: passed(rescheduled(service, context.at), input.due, 'missed') },
});

/** The wall clock was set: computes the next boundary again. */
export const reschedule = ({ service, context }: Situation<Tag, 'clock-stepped'>): Change => ({
  patch: { schedule: rescheduled(service, context.at) },
});

/** The backoff is over: the service waits to start again, which counts as an automatic start. */
export const dueAgain = ({ service, input }: Situation<'backing-off', 'elapsed'>): Change =>
  input.timer === 'backoff' ? wait(service, { restartsTotal: (service.restartsTotal ?? 0) + 1 }) : STAY;

/** Records the peak memory of this run, in bytes. */
export const grow = ({ service, input }: Situation<'starting' | 'up', 'peaked'>): Change => ({
  patch: { schedule: peaked(service.schedule, input.peakBytes) },
});

/**
 * Dependencies became ready, so the service waits for the gate; or they no longer are, so it waits for them.
 */
export const queue = ({ state, input }: Situation<'waiting', 'hold'>): Change =>
  state.for === input.for ? STAY : { to: { tag: 'waiting', for: input.for } };

/** Skips the service with its dependency; a scheduled service skips only this run. */
export const passOver = ({ service, input, context }: Situation<'waiting', 'pass-over'>): Change => {
  const { spec, schedule, insisted } = service;
  if (spec.kind !== 'cron') return { to: { tag: 'down', why: { tag: 'skipped', by: input.dependency } } };
  const error: ServiceError = { code: 'ERR0109', service: spec.id, dependency: input.dependency };
  return betweenRuns({ schedule: leftOut(schedule, { at: context.at, ...(insisted && { error }) }) });
};

/** The dependency that it was skipped with is no longer skipped. */
export const takeUp = ({ service, state }: Situation<'down', 'raise'>): Change =>
  state.why.tag === 'skipped' ? wait(service) : STAY;

/** Another failed dependency; each is listed once. */
export const fallDeeper = ({ state, input }: Situation<'casualty', 'fell'>): Change => ({
  to: { tag: 'casualty', of: [...new Set([...state.of, ...input.of])] },
});
