// Small cells of the state table (what one input does in one state).
// Rules: `docs/behaviour.md`, "Schedules", "If a run is still alive".
import type { ServiceError } from '../domain/errors/error.ts';
import type { Tag } from '../domain/service/service.ts';
import { betweenRuns, wait } from './state-without-run.ts';
import { STAY, type InputType, type Change, type Situation } from './service-input.ts';
import { rescheduled } from '../cron/next-run-time.ts';
import { leftOut, passed, peaked, queued, tickOf } from './scheduled-runs.ts';

export type Cell<T extends Tag, I extends InputType> = (situation: Situation<T, I>) => Change;

/** A cell for an input that can arrive in this state and changes nothing. */
export const ignored = (): Change => STAY;

/** A cell for an input that cannot arrive in this state. */
export const impossible = (): Change => STAY;

/** A cell for an input that is recorded as an incident and changes no state. */
export const noted = (): Change => ({ patch: {} });

/**
 * Records the scheduled time as an overlap: the previous run is alive. With `overlap: queue`, one such time
 * waits.
 */
export const overlap = ({ service, input, context }: Situation<Tag, 'rang'>): Change => {
  const next = rescheduled(service, context.at);
  const due = tickOf(service.schedule, input.due);
  const waits = service.spec.cron?.overlap === 'queue' && next.rung === undefined;
  return { patch: { schedule: waits ? queued(next, due) : passed(next, due, 'overlap') } };
};

/** Records the scheduled time as missed: the service still waits to start. */
export const miss = ({ service, input, context }: Situation<'waiting', 'rang'>): Change => ({
  patch: {
    schedule: passed(rescheduled(service, context.at), tickOf(service.schedule, input.due), 'missed'),
  },
});

/** Computes the next scheduled time again, because the wall clock was set. */
export const reschedule = ({ service, context }: Situation<Tag, 'clock-stepped'>): Change => ({
  patch: { schedule: rescheduled(service, context.at) },
});

/** Lets the service wait to start after its backoff, and counts the automatic start. */
export const dueAgain = ({ service, input }: Situation<'backing-off', 'elapsed'>): Change =>
  input.timer === 'backoff' ? wait(service, { restartsTotal: (service.restartsTotal ?? 0) + 1 }) : STAY;

/** Records the highest memory use of this run so far, in bytes. */
export const grow = ({ service, input }: Situation<'starting' | 'up', 'peaked'>): Change => ({
  patch: { schedule: peaked(service.schedule, input.peakBytes) },
});

/** Sets what the service waits for: its dependencies, or a place in the gate. */
export const queue = ({ state, input }: Situation<'waiting', 'hold'>): Change =>
  state.for === input.for ? STAY : { to: { tag: 'waiting', for: input.for } };

/** Skips the service because a dependency was skipped; a scheduled service skips only this run. */
export const passOver = ({ service, input, context }: Situation<'waiting', 'pass-over'>): Change => {
  const { spec, schedule, insisted } = service;
  if (spec.kind !== 'cron') return { to: { tag: 'down', why: { tag: 'skipped', by: input.dependency } } };
  const error: ServiceError = { code: 'ERR0109', service: spec.id, dependency: input.dependency };
  return betweenRuns(service, {
    schedule: leftOut(schedule, { at: context.at, ...(insisted && { error }) }),
  });
};

/** Lets a skipped service wait to start, because its dependency is no longer skipped. */
export const takeUp = ({ service, state }: Situation<'down', 'raise'>): Change =>
  state.why.tag === 'skipped' ? wait(service) : STAY;

/** Adds newly failed dependencies to those for which the service waits. */
export const fallDeeper = ({ state, input }: Situation<'casualty', 'fell'>): Change => ({
  to: { tag: 'casualty', of: [...new Set([...state.of, ...input.of])] },
});
