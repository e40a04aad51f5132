// The small cells of the table of states: what means nothing, and what needs no more than a line.
import type { ServiceError } from '../domain/errors/error.ts';
import type { Tag } from '../domain/service/service.ts';
import { betweenRuns, wait } from './anew.ts';
import { STAY, type InputType, type Change, type Situation } from './input.ts';
import { leftOut, passed, peaked, rescheduled } from './schedule.ts';

export type Cell<T extends Tag, I extends InputType> = (situation: Situation<T, I>) => Change;

/** It can arrive here, and it changes nothing. */
export const ignored = (): Change => STAY;

/** Settling and the world never send this here. A row that has it anyway is harmless. */
export const impossible = (): Change => STAY;

/** It is remembered, and moves nobody. */
export const noted = (): Change => ({ patch: {} });

/** Due while the run before is not over: that boundary is passed, and noted as an overlap. */
export const overlap = ({ service, input, context }: Situation<Tag, 'rang'>): Change => ({
  patch: { schedule: passed(rescheduled(service, context.at), input.due, 'overlap') },
});

/** Due while it waits to begin: that boundary is passed, and noted as missed. */
export const miss = ({ service, input, context }: Situation<'waiting', 'rang'>): Change => ({
  patch: { schedule: passed(rescheduled(service, context.at), input.due, 'missed') },
});

/** The wall clock was set: the next boundary is looked for anew. */
export const reschedule = ({ service, context }: Situation<Tag, 'clock-stepped'>): Change => ({
  patch: { schedule: rescheduled(service, context.at) },
});

/** The backoff is over: it waits for its turn once more, and that is an automatic start. */
export const dueAgain = ({ service, input }: Situation<'backing-off', 'elapsed'>): Change =>
  input.timer === 'backoff' ? wait(service, { restartsTotal: (service.restartsTotal ?? 0) + 1 }) : STAY;

/** The highest memory of this run, in bytes. */
export const grow = ({ service, input }: Situation<'starting' | 'up', 'peaked'>): Change => ({
  patch: { schedule: peaked(service.schedule, input.peakBytes) },
});

/** Its dependencies are there: from now on it waits for the gate. Or they are not any more: it waits for them again. */
export const queue = ({ state, input }: Situation<'waiting', 'hold'>): Change =>
  state.for === input.for ? STAY : { to: { tag: 'waiting', for: input.for } };

/** A dependency was skipped, and so is it; of a scheduled service this run. */
export const passOver = ({ service, input, context }: Situation<'waiting', 'pass-over'>): Change => {
  const { spec, schedule, insisted } = service;
  if (spec.kind !== 'cron') return { to: { tag: 'down', why: { tag: 'skipped', by: input.dependency } } };
  const error: ServiceError = { code: 'ERR0109', service: spec.id, dependency: input.dependency };
  return betweenRuns({ schedule: leftOut(schedule, { at: context.at, ...(insisted && { error }) }) });
};

/** The dependency that it was skipped with is not skipped any more. */
export const takeUp = ({ service, state }: Situation<'down', 'raise'>): Change =>
  state.why.tag === 'skipped' ? wait(service) : STAY;

/** One dependency more has felled it; each is named once. */
export const fallDeeper = ({ state, input }: Situation<'casualty', 'fell'>): Change => ({
  to: { tag: 'casualty', of: [...new Set([...state.of, ...input.of])] },
});
