// The inputs `start`, `stop` and `restart` in every state. Each sets the desired state `wanted`; the current
// state decides what happens now.
// Rules: `docs/behaviour.md`, "Casualties", "It stays down"; `docs/behaviour.md`, "Schedules", "By name".
import type { Run } from '../domain/service/service-run.ts';
import type { In, ServiceOrRun, ServiceState, Tag } from '../domain/service/service.ts';
import type { Instant } from '../domain/time.ts';
import { becomesJob, isDeclaredAgain, latest, onSchedule, wait, wantedUp } from './state-without-run.ts';
import { stopping } from './stopping.ts';
import { calledOff, cutOff, rescheduled } from './schedule.ts';
import type { Change, Situation } from './service-input.ts';

const ASKED: ServiceState = { tag: 'down', why: { tag: 'asked' } };

const WANTED_DOWN: NonNullable<Change['patch']> = { wanted: 'down', insisted: false, recovering: false };

/**
 * Returns the schedule with its next time by the newest declaration; unchanged if that declaration has none.
 */
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

/**
 * Starts a service that is down. A completed one-shot does not run again, unless the user named it or its
 * newest declaration needs a new process.
 */
export const startFromDown = (cell: Situation<'down', 'start' | 'restart'>): Change => {
  const { service, state, input } = cell;
  if (isDone(state) && !input.insisted && !isDeclaredAgain(service)) return { patch: { wanted: 'up' } };
  return begins(cell, input.insisted);
};

/**
 * Starts a service that is in backoff, or has an open breaker or failed dependencies. Resets its count of
 * automatic starts, which closes the breaker. A scheduled service waits for its next time unless the user
 * named it.
 */
export const startFromRest = (
  cell: Situation<'backing-off' | 'broken' | 'casualty', 'start' | 'restart'>,
): Change => begins(cell, cell.input.insisted);

/** Runs a scheduled service now if the user named it. The schedule itself continues. */
export const startScheduled = (cell: Situation<'scheduled', 'start' | 'restart'>): Change =>
  begins(cell, cell.input.insisted);

/**
 * True if the next run ignores `skip`, because the user named the service. A later start without names keeps
 * that; a restart without names ends it.
 */
const insistence = ({
  service,
  input,
}: Pick<Situation<Tag, 'start' | 'restart'>, 'service' | 'input'>): boolean =>
  input.insisted || (input.type === 'start' && service.insisted);

/**
 * Sets the desired state of a starting or running service to up. A requested stop that still waits for
 * dependents is cancelled.
 */
export const wantUp = (cell: Situation<Tag, 'start' | 'restart'>): Change => ({
  patch: wantedUp(insistence(cell)),
});

/** Makes a waiting service wait for the dependencies of its newest declaration. */
export const wantNewest = (cell: Situation<'waiting', 'start'>): Change => {
  const { patch = {} } = wait(cell.service, wantedUp(insistence(cell)));
  return { patch };
};

/**
 * Sets the desired state to up for a restart during the spawn. If there is a newer declaration, the process
 * is stopped as soon as it exists and a new run follows.
 */
export const startNewest = (cell: Situation<'spawning', 'restart'>): Change => ({
  ...(cell.service.revised !== undefined && { to: { ...cell.state, again: true } }),
  ...wantUp(cell),
});

/**
 * Requests a new run after the stop in progress. A run that exited by itself and completed gets one only if
 * the user named the service.
 */
export const startAgain = (cell: Situation<'stopping', 'start' | 'restart'>): Change => ({
  to: { ...cell.state, again: true, ...(cell.input.insisted && { named: true }) },
  patch: wantedUp(insistence(cell)),
});

/**
 * Stops a service without a main process: the service goes down at once, and its skip or pre_start command is
 * ended if one runs.
 */
export const standDown = ({ service, context }: Situation<Tag, 'stop'>): Change => ({
  to: ASKED,
  patch: { ...WANTED_DOWN, schedule: calledOff(service.schedule, context.at) },
});

/**
 * Sets the desired state of a service with a process to down. The process is stopped once every dependent
 * that must also stop has stopped (`release`).
 */
export const wantDown = (): Change => ({ patch: WANTED_DOWN });

/**
 * Restarts a service that waits or prepares, with its newest declaration. Its skip or pre_start command is
 * ended if one runs.
 */
export const beginAnew = (cell: Situation<'waiting' | 'preparing', 'restart'>): Change => {
  const { service, input, context } = cell;
  return becomesJob(service, latest(service)) && !input.insisted
    ? onSchedule(service, context.at)
    : wait(service, {
        ...wantedUp(insistence(cell)),
        schedule: cutOff(scheduleOf(service, context.at), context.at),
      });
};

/** Restarts a live service: stops its run and keeps its desired state up, so that a new run follows. */
export const bounce = (cell: Situation<'starting' | 'up', 'restart'>): Change => {
  const move = stopping(cell, { tag: 'restart' });
  return { ...move, patch: wantedUp(insistence(cell)) };
};

/**
 * Makes a scheduled service wait to start, because its scheduled time has come, and computes the next one.
 */
export const ring = ({ service, input, context }: Situation<'scheduled', 'rang'>): Change =>
  wait(service, { schedule: { ...rescheduled(service, context.at), rung: input.due } });
