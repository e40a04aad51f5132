// What people ask: start, stop, restart, in every state a service can be in. Who asks decides `wanted`; the state
// decides what that means now.
import type { In, Service, ServiceState, Tag } from '../domain/service/service.ts';
import type { Instant } from '../domain/time.ts';
import { becomesJob, isDeclaredAnew, latest, onSchedule, wait, wantedUp } from './anew.ts';
import { stopping } from './stopping.ts';
import { calledOff, cutOff, rescheduled } from './schedule.ts';
import type { Change, Situation } from './input.ts';

const ASKED: ServiceState = { tag: 'down', why: { tag: 'asked' } };

const WANTED_DOWN: NonNullable<Change['patch']> = { wanted: 'down', insisted: false, recovering: false };

/** The boundaries of its newest declaration. */
const scheduleOf = (service: Service, at: Instant): Service['schedule'] =>
  latest(service).kind === 'cron' ? rescheduled({ ...service, spec: latest(service) }, at) : service.schedule;

const begins = (
  { service, context }: Pick<Situation<'down', 'start'>, 'service' | 'context'>,
  insisted: boolean,
): Change =>
  latest(service).kind === 'cron' && !insisted
    ? onSchedule(service, context.at)
    : wait(service, { ...wantedUp(insisted), schedule: scheduleOf(service, context.at) });

const isDone = (state: In<'down'>): boolean => state.why.tag === 'completed';

/** A finished one-shot stays done unless it is asked for by name or declared anew. */
export const startFromDown = (cell: Situation<'down', 'start' | 'restart'>): Change => {
  const { service, state, input } = cell;
  if (isDone(state) && !input.insisted && !isDeclaredAnew(service)) return { patch: { wanted: 'up' } };
  return begins(cell, input.insisted);
};

/** Attempts begin at none, and an open breaker closes. A scheduled service waits unless it was named. */
export const startFromRest = (
  cell: Situation<'backing-off' | 'broken' | 'casualty', 'start' | 'restart'>,
): Change => begins(cell, cell.input.insisted);

/** Run now, when asked for by name; the schedule goes on beside it. */
export const startScheduled = (cell: Situation<'scheduled', 'start' | 'restart'>): Change =>
  begins(cell, cell.input.insisted);

/** A restart of everything ends the override of `skip`; a start of everything leaves it be. */
const insistence = ({
  service,
  input,
}: Pick<Situation<Tag, 'start' | 'restart'>, 'service' | 'input'>): boolean =>
  input.insisted || (input.type === 'start' && service.insisted);

/** It is on its way, running, or ending: wanted from now on. A stop that has not begun is called off. */
export const wantUp = (cell: Situation<Tag, 'start' | 'restart'>): Change => ({
  patch: wantedUp(insistence(cell)),
});

/** It waits already: from now on for what its newest declaration needs. */
export const wantNewest = (cell: Situation<'waiting', 'start'>): Change => {
  const { patch = {} } = wait(cell.service, wantedUp(insistence(cell)));
  return { patch };
};

/** A process is being made, by the declaration that was the newest then: once it is there it ends, if there is a newer one. */
export const startNewest = (cell: Situation<'spawning', 'restart'>): Change => ({
  ...(cell.service.revised !== undefined && { to: { ...cell.state, again: true } }),
  ...wantUp(cell),
});

/** It is ending: it starts again as soon as that is over, unless it has ended by itself and turns out to be done. */
export const startAgain = (cell: Situation<'stopping', 'start' | 'restart'>): Change => ({
  to: { ...cell.state, again: true, ...(cell.input.insisted && { named: true }) },
  patch: wantedUp(insistence(cell)),
});

/** Nothing of it runs but a command, which ends with the state: it just is not wanted any more. */
export const standDown = ({ service, context }: Situation<Tag, 'stop'>): Change => ({
  to: ASKED,
  patch: { ...WANTED_DOWN, schedule: calledOff(service.schedule, context.at) },
});

/** Something of it runs or is about to: it ends as soon as no leaving dependent needs it (`release`). */
export const wantDown = (): Change => ({ patch: WANTED_DOWN });

/** Begin anew with the newest declaration; its command, if one runs, ends with the state. */
export const beginAnew = (cell: Situation<'waiting' | 'preparing', 'restart'>): Change => {
  const { service, input, context } = cell;
  return becomesJob(service, latest(service)) && !input.insisted
    ? onSchedule(service, context.at)
    : wait(service, {
        ...wantedUp(insistence(cell)),
        schedule: cutOff(scheduleOf(service, context.at), context.at),
      });
};

/** It stops, and is wanted up: what comes after the stop begins a new run. */
export const bounce = (cell: Situation<'starting' | 'up', 'restart'>): Change => {
  const move = stopping(cell, { tag: 'restart' });
  return { ...move, patch: wantedUp(insistence(cell)) };
};

/** A boundary of the schedule: run, and look for the next one. */
export const ring = ({ service, input, context }: Situation<'scheduled', 'rang'>): Change =>
  wait(service, { schedule: { ...rescheduled(service, context.at), rung: input.due } });
