// The inputs `start`, `stop` and `restart` in every state. Each input sets the desired state. The current
// state decides what happens now.
// Rules: `docs/behaviour.md`, "Casualties", "It stays down"; `docs/behaviour.md`, "Schedules", "By name".
import type { Run } from '../domain/service/service-run.ts';
import type { In, ServiceOrRun, ServiceState, Tag } from '../domain/service/service.ts';
import { between, type Instant, seconds } from '../domain/time.ts';
import { becomesJob, isDeclaredAgain, latest, onSchedule, wait, wantedUp } from './state-without-run.ts';
import { stopping } from './stopping.ts';
import { rescheduled } from '../cron/next-run-time.ts';
import { calledOff, cutOff, tickOf } from './scheduled-runs.ts';
import type { Change, Situation } from './service-input.ts';

const ASKED: ServiceState = { tag: 'down', why: { tag: 'asked' } };

const WANTED_DOWN: NonNullable<Change['patch']> = { wanted: 'down', insisted: false, recovering: false };

/** Returns the schedule with its next time by the newest declaration. */
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

/** Starts a service that is down. A completed one-shot stays done unless it is named or newly declared. */
export const startFromDown = (cell: Situation<'down', 'start' | 'restart'>): Change => {
  const { service, state, input } = cell;
  if (isDone(state) && !input.insisted && !isDeclaredAgain(service)) return { patch: { wanted: 'up' } };
  return begins(cell, input.insisted);
};

/**
 * Starts a service in backoff or with an open breaker or failed dependencies, and resets its restart count. A
 * scheduled service waits for its next time unless the user named it.
 */
export const startFromRest = (
  cell: Situation<'backing-off' | 'broken' | 'casualty', 'start' | 'restart'>,
): Change => begins(cell, cell.input.insisted);

/** Runs a scheduled service now if the user named it. Its schedule continues. */
export const startScheduled = (cell: Situation<'scheduled', 'start' | 'restart'>): Change =>
  begins(cell, cell.input.insisted);

/** True if the next run ignores `skip`, because the user named the service. */
const insistence = ({
  service,
  input,
}: Pick<Situation<Tag, 'start' | 'restart'>, 'service' | 'input'>): boolean =>
  input.insisted || (input.type === 'start' && service.insisted);

/** Sets the desired state to up, which cancels a requested stop that has not begun. */
export const wantUp = (cell: Situation<Tag, 'start' | 'restart'>): Change => ({
  patch: wantedUp(insistence(cell)),
});

/** Lets a waiting service wait for the dependencies of its newest declaration. */
export const wantNewest = (cell: Situation<'waiting', 'start'>): Change => {
  const { patch = {} } = wait(cell.service, wantedUp(insistence(cell)));
  return { patch };
};

/** Restarts during the spawn. If there is a newer declaration, the process is stopped once it exists. */
export const startNewest = (cell: Situation<'spawning', 'restart'>): Change => ({
  ...(cell.service.revised !== undefined && { to: { ...cell.state, again: true } }),
  ...wantUp(cell),
});

/**
 * Requests a new run after the stop. If the run was completed, a new run follows only if the user named the
 * service.
 */
export const startAgain = (cell: Situation<'stopping', 'start' | 'restart'>): Change => ({
  to: { ...cell.state, again: true, ...(cell.input.insisted && { named: true }) },
  patch: wantedUp(insistence(cell)),
});

/** Stops a service without a main process at once, and ends its skip or pre_start command. */
export const standDown = ({ service, context }: Situation<Tag, 'stop'>): Change => ({
  to: ASKED,
  patch: { ...WANTED_DOWN, schedule: calledOff(service, context.at) },
});

/** Sets the desired state to down. The process is stopped once no dependent blocks that (`release`). */
export const wantDown = (): Change => ({ patch: WANTED_DOWN });

/** Restarts a service without a process, with its newest declaration. */
export const beginAnew = (cell: Situation<'waiting' | 'preparing', 'restart'>): Change => {
  const { service, input, context } = cell;
  return becomesJob(service, latest(service)) && !input.insisted
    ? onSchedule(service, context.at)
    : wait(service, {
        ...wantedUp(insistence(cell)),
        schedule: cutOff(scheduleOf(service, context.at), context.at),
      });
};

/** Restarts a live service: stops its run. A new run follows. */
export const bounce = (cell: Situation<'starting' | 'up', 'restart'>): Change => {
  const move = stopping(cell, { tag: 'restart' });
  return { ...move, patch: wantedUp(insistence(cell)) };
};

/** An alarm reads the clock once a minute. If it rings later than this, the machine slept. */
const LATE = seconds(90);

/** Returns why a run begins after its scheduled time: `cron.catch_up` or `cron.jitter`. */
const lateBy = ({
  service: { spec, schedule },
  input,
  context,
}: Situation<'scheduled', 'rang'>): Pick<Run['schedule'], 'rungBy'> => {
  const isLate = between(input.due, context.at) > LATE && spec.cron?.catchUp === 'once';
  if (isLate) return { rungBy: 'caught-up' };
  return schedule.delay === undefined ? {} : { rungBy: 'delayed' };
};

/** Lets a scheduled service wait to start, because its time has come, and computes the next time. */
export const ring = (cell: Situation<'scheduled', 'rang'>): Change => {
  const { service, input, context } = cell;
  const rung = tickOf(service.schedule, input.due);
  return wait(service, { schedule: { ...rescheduled(service, context.at), rung, ...lateBy(cell) } });
};
