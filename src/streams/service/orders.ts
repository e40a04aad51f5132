// The orders start, stop and restart in every state. The order sets `wanted`; the state decides what that
// means now.
// Rules: `docs/behaviour.md`, "Casualties", "It stays down"; `docs/behaviour.md`, "Schedules", "By name".
import type { Run } from '../domain/service/service-run.ts';
import type { In, ServiceOrRun, ServiceState, Tag } from '../domain/service/service.ts';
import type { Instant } from '../domain/time.ts';
import { becomesJob, isDeclaredAnew, latest, onSchedule, wait, wantedUp } from './state-without-run.ts';
import { stopping } from './stopping.ts';
import { calledOff, cutOff, rescheduled } from './schedule.ts';
import type { Change, Situation } from './service-input.ts';

const ASKED: ServiceState = { tag: 'down', why: { tag: 'asked' } };

const WANTED_DOWN: NonNullable<Change['patch']> = { wanted: 'down', insisted: false, recovering: false };

/** The schedule of its newest declaration. */
const scheduleOf = (service: ServiceOrRun, at: Instant): Run['schedule'] =>
  latest(service).kind === 'cron' ? rescheduled({ ...service, spec: latest(service) }, at) : service.schedule;

const begins = (
  { service, context }: Pick<Situation<'down', 'start'>, 'service' | 'context'>,
  insisted: boolean,
): Change =>
  latest(service).kind === 'cron' && !insisted
    ? onSchedule(service, context.at)
    : wait(service, { ...wantedUp(insisted), schedule: scheduleOf(service, context.at) });

const isDone = (state: In<'down'>): boolean => state.why.tag === 'completed';

/** A finished one-shot stays done unless the user named it or it needs a new process. */
export const startFromDown = (cell: Situation<'down', 'start' | 'restart'>): Change => {
  const { service, state, input } = cell;
  if (isDone(state) && !input.insisted && !isDeclaredAnew(service)) return { patch: { wanted: 'up' } };
  return begins(cell, input.insisted);
};

/** Resets the attempts and closes an open breaker. A scheduled service waits unless the user named it. */
export const startFromRest = (
  cell: Situation<'backing-off' | 'broken' | 'casualty', 'start' | 'restart'>,
): Change => begins(cell, cell.input.insisted);

/** Runs now if the user named it; the schedule continues independently. */
export const startScheduled = (cell: Situation<'scheduled', 'start' | 'restart'>): Change =>
  begins(cell, cell.input.insisted);

/** True if `skip` is overridden: a start of everything keeps that, a restart ends it. */
const insistence = ({
  service,
  input,
}: Pick<Situation<Tag, 'start' | 'restart'>, 'service' | 'input'>): boolean =>
  input.insisted || (input.type === 'start' && service.insisted);

/**
 * The service is starting, running or stopping: it is wanted from now on. A stop that has not begun is
 * cancelled.
 */
export const wantUp = (cell: Situation<Tag, 'start' | 'restart'>): Change => ({
  patch: wantedUp(insistence(cell)),
});

/** Already waiting: from now on it waits for what its newest declaration needs. */
export const wantNewest = (cell: Situation<'waiting', 'start'>): Change => {
  const { patch = {} } = wait(cell.service, wantedUp(insistence(cell)));
  return { patch };
};

/**
 * A process is being spawned from an older declaration: if there is a newer one, it is stopped once it
 * exists.
 */
export const startNewest = (cell: Situation<'spawning', 'restart'>): Change => ({
  ...(cell.service.revised !== undefined && { to: { ...cell.state, again: true } }),
  ...wantUp(cell),
});

/** Stopping: it starts again once that is over, unless it exited by itself and turns out to be done. */
export const startAgain = (cell: Situation<'stopping', 'start' | 'restart'>): Change => ({
  to: { ...cell.state, again: true, ...(cell.input.insisted && { named: true }) },
  patch: wantedUp(insistence(cell)),
});

/** There is no process except a command, which ends with this state; the service goes down at once. */
export const standDown = ({ service, context }: Situation<Tag, 'stop'>): Change => ({
  to: ASKED,
  patch: { ...WANTED_DOWN, schedule: calledOff(service.schedule, context.at) },
});

/**
 * A process exists or is about to: it is stopped once no dependent that is also stopping needs it
 * (`release`).
 */
export const wantDown = (): Change => ({ patch: WANTED_DOWN });

/** Begins again with the newest declaration; a running command ends with this state. */
export const beginAnew = (cell: Situation<'waiting' | 'preparing', 'restart'>): Change => {
  const { service, input, context } = cell;
  return becomesJob(service, latest(service)) && !input.insisted
    ? onSchedule(service, context.at)
    : wait(service, {
        ...wantedUp(insistence(cell)),
        schedule: cutOff(scheduleOf(service, context.at), context.at),
      });
};

/** Stops the service but keeps it wanted, so that a new run follows the stop. */
export const bounce = (cell: Situation<'starting' | 'up', 'restart'>): Change => {
  const move = stopping(cell, { tag: 'restart' });
  return { ...move, patch: wantedUp(insistence(cell)) };
};

/** A boundary of the schedule: starts a run and computes the next boundary. */
export const ring = ({ service, input, context }: Situation<'scheduled', 'rang'>): Change =>
  wait(service, { schedule: { ...rescheduled(service, context.at), rung: input.due } });
