// The runs of a service with `cron`: when they begin, how a scheduled time is handled if no run can begin,
// and what follows a run.
// Rules: `docs/behaviour.md`, "Schedules", "If a run is still alive", "cron.timeout", "A run that fails", "By
// name", "A service that becomes a job"; `docs/behaviour.md`, "Schedules", "If the clock of the machine is
// set back"; `docs/behaviour.md`, "Starting", "Skip".
import { rescheduled } from '../../cron/next-run-time.ts';
import { nextRunAt } from '../../domain/service/schedule.ts';
import type { CronRun, LastFailure, Run, Schedule } from '../../domain/service/service-run.ts';
import type { In, ServiceOrRun, StopCause, Tag } from '../../domain/service/service.ts';
import { between, seconds, type Instant } from '../../domain/time.ts';
import { passed, resultOf, peaked, ended, dropped, halted, type HowEnded } from './scheduled-results.ts';
import type { Change, Situation } from '../service-input.ts';
import { latest, renewed, wait, wantedUp, type Patch } from '../wait-to-start.ts';

/**
 * Returns the scheduled time that belongs to the alarm at `at`. With `cron.jitter`, the alarm is later than
 * this time.
 */
const tickOf = (schedule: Schedule, at: Instant): Instant =>
  nextRunAt(schedule) === at ? (schedule.due ?? at) : at;

/** Queues a scheduled time: its run begins when the present run has ended. At most one time is queued. */
const queued = (schedule: Schedule, due: Instant): Schedule => ({
  ...schedule,
  rung: due,
  rungBy: 'queued',
});

/**
 * Records the scheduled time as an overlap, because the previous run is alive. With `overlap: queue`, queues
 * the time instead if no other time is queued.
 */
export const overlap = ({ service, input, context }: Situation<Tag, 'rang'>): Change => {
  const next = rescheduled(service, context.at);
  const due = tickOf(service.schedule, input.due);
  const waits = service.spec.cron?.overlap === 'queue' && next.rung === undefined;
  return { patch: { schedule: waits ? queued(next, due) : passed(next, due, 'overlap') } };
};

/** Records the scheduled time as missed, because the service still waits to start. */
export const miss = ({ service, input, context }: Situation<'waiting', 'rang'>): Change => ({
  patch: {
    schedule: passed(rescheduled(service, context.at), tickOf(service.schedule, input.due), 'missed'),
  },
});

/** Computes the next scheduled time again, because the wall clock was set. */
export const reschedule = ({ service, context }: Situation<Tag, 'clock-stepped'>): Change => ({
  patch: { schedule: rescheduled(service, context.at) },
});

/** Records the highest memory use of this run so far, in bytes. */
export const recordPeak = ({ service, input }: Situation<'starting' | 'up', 'peaked'>): Change => ({
  patch: { schedule: peaked(service.schedule, input.peakBytes) },
});

/**
 * Moves a scheduled service to `scheduled`, or to `waiting` if a scheduled time waits for its run. Clears
 * `insisted`, so that the next run obeys `skip` again.
 */
export const betweenRuns = (service: ServiceOrRun, patch: Patch = {}): Change => {
  const next = { ...patch, insisted: false };
  return (patch.schedule ?? service.schedule).rung === undefined
    ? { to: { tag: 'scheduled' }, patch: next }
    : wait(service, next);
};

/**
 * Moves the service to `scheduled`, by the schedule of its newest declaration. With `skip: true`, skips the
 * service instead.
 */
export const onSchedule = (service: ServiceOrRun, at: Instant): Change => {
  const fresh = { ...service, spec: latest(service) };
  if (fresh.spec.skip === true)
    return {
      to: { tag: 'down', why: { tag: 'skipped', by: 'manifest' } },
      patch: { ...wantedUp(false), spec: fresh.spec, schedule: dropped(service.schedule) },
    };
  return betweenRuns(service, { ...wantedUp(false), spec: fresh.spec, schedule: rescheduled(fresh, at) });
};

/**
 * Returns the change after a run if another run must follow. A scheduled service waits for its next scheduled
 * time, unless the user named it.
 */
export const withoutRun = (service: ServiceOrRun, at: Instant, patch: Patch): Change => {
  if (latest(service).kind !== 'cron' || service.insisted) return wait(service, patch);
  const { to, patch: scheduled } = onSchedule({ ...service, ...patch }, at);
  return { ...(to && { to }), patch: { ...patch, ...scheduled } };
};

/**
 * Returns the service. If it has just entered the state `scheduled`, its newest declaration becomes the
 * current one.
 */
export const betweenBoundaries = (before: ServiceOrRun, service: ServiceOrRun): ServiceOrRun =>
  service.actual.tag === 'scheduled' && before.actual.tag !== 'scheduled' && latest(service).kind === 'cron'
    ? renewed(service)
    : service;

/** Returns the schedule, in which the next scheduled time is computed from the newest declaration. */
export const scheduleOf = (service: ServiceOrRun, at: Instant): Run['schedule'] =>
  latest(service).kind === 'cron' ? rescheduled({ ...service, spec: latest(service) }, at) : service.schedule;

/**
 * Moves a service without a run to `waiting`. A scheduled service waits for its next scheduled time instead,
 * unless the user named the service.
 */
export const begins = (
  { service, context }: Pick<Situation<'down', 'start'>, 'service' | 'context'>,
  insisted: boolean,
): Change =>
  latest(service).kind === 'cron' && !insisted
    ? onSchedule(service, context.at)
    : wait(service, { ...wantedUp(insisted), schedule: scheduleOf(service, context.at) });

/** Runs a scheduled service now if the user named it. Its schedule continues. */
export const startScheduled = (cell: Situation<'scheduled', 'start' | 'restart'>): Change =>
  begins(cell, cell.input.insisted);

/**
 * The longest delay of an alarm while the machine is awake. An alarm reads the clock once a minute. A longer
 * delay means that the machine slept.
 */
const MAX_ALARM_DELAY = seconds(90);

/**
 * Returns, as `rungBy`, why a run begins after its scheduled time: because of `cron.catch_up` or
 * `cron.jitter`.
 */
const lateBy = ({
  service: { spec, schedule },
  input,
  context,
}: Situation<'scheduled', 'rang'>): Pick<Run['schedule'], 'rungBy'> => {
  const isLate = between(input.due, context.at) > MAX_ALARM_DELAY && spec.cron?.catchUp === 'once';
  if (isLate) return { rungBy: 'caught-up' };
  return schedule.delay === undefined ? {} : { rungBy: 'delayed' };
};

/** Moves a scheduled service to `waiting`, because its scheduled time has come. Computes the next time. */
export const ring = (cell: Situation<'scheduled', 'rang'>): Change => {
  const { service, input, context } = cell;
  const rung = tickOf(service.schedule, input.due);
  return wait(service, { schedule: { ...rescheduled(service, context.at), rung, ...lateBy(cell) } });
};

/**
 * Returns the cause for stopping a scheduled run at its `timeout` (ERR0114); `undefined` without a `timeout`.
 */
export const overtime = ({ spec: { id, cron } }: Run): StopCause | undefined =>
  cron?.timeout === undefined
    ? undefined
    : { tag: 'timeout', error: { code: 'ERR0114', service: id, limit: cron.timeout } };

const FAILURES: ReadonlySet<CronRun['result']> = new Set(['failure', 'timeout']);

interface Over {
  readonly service: ServiceOrRun;
  readonly state: In<'stopping'>;
  readonly at: Instant;
  /** Returns the failure to record. It is called only if the run has failed. */
  readonly failure: () => LastFailure;
  /** The exit status of the main process and the time of the exit. */
  readonly how: Pick<HowEnded, 'exit' | 'exitedAt'>;
  /** True if another run was requested during this run or its stop. */
  readonly again: boolean;
}

/**
 * Returns the change after a scheduled run: its result is recorded, and the service waits for its next
 * scheduled time.
 */
export const afterScheduledRun = ({ service, state, at, failure, how, again }: Over): Change => {
  const result = resultOf(state.cause, state.exit);
  const failed = FAILURES.has(result) ? failure() : undefined;
  // The last output of the run is kept only in `lastFailure`, not in each of the fifty recorded runs.
  const error = failed && { ...failed.error, evidence: [] };
  const patch = {
    schedule: ended(service.schedule, { at, result, ...how, ...(error && { error }) }),
    ...(failed && { lastFailure: failed }),
  };
  if (service.wanted === 'down')
    return {
      to: { tag: 'down', why: { tag: 'asked' } },
      patch: { ...patch, schedule: halted(service, patch.schedule), insisted: false },
    };
  return again ? withoutRun(service, at, patch) : betweenRuns(service, patch);
};
