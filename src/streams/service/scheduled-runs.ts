// The records of the last runs of a cron service. The next time is computed elsewhere
// (`cron/next-run-time.ts`), because the views import this file, and a short command must not load the cron
// parser.
// Rules: `docs/behaviour.md`, "Schedules", "If a run is still alive", "The last 50 runs".
import { isSuccess, type ExitStatus } from '../domain/service/exit.ts';
import type { ServiceError } from '../domain/errors/error.ts';
import type { CronRun, Run, Schedule } from '../domain/service/service-run.ts';
import type { ServiceOrRun } from '../domain/service/service.ts';
import type { StopCause } from '../domain/service/service-state.ts';
import { type Instant, ms, plus } from '../domain/time.ts';

/** The number of scheduled runs that are kept for each service. */
export const KEPT_RUNS = 50;

const keep = (runs: readonly CronRun[], run: CronRun): readonly CronRun[] => [...runs, run].slice(-KEPT_RUNS);

/**
 * Records a scheduled time without a run. `overlap`: the previous run was still alive; `missed`: other
 * reasons.
 */
export const passed = (schedule: Schedule, due: Instant, result: 'overlap' | 'missed'): Schedule => ({
  ...schedule,
  runs: keep(schedule.runs, { due, result }),
});

/** Returns when the next run begins: its scheduled time plus the delay by `cron.jitter`. */
export const nextRunAt = ({ due, delay = ms(0) }: Schedule): Instant | undefined =>
  due === undefined ? undefined : plus(due, delay);

/**
 * Returns the scheduled time that belongs to the alarm at `at`. With `cron.jitter`, the alarm is later than
 * this time.
 */
export const tickOf = (schedule: Schedule, at: Instant): Instant =>
  nextRunAt(schedule) === at ? (schedule.due ?? at) : at;

/** Lets the scheduled time wait for the end of the run that is alive. Only one time may wait. */
export const queued = (schedule: Schedule, due: Instant): Schedule => ({
  ...schedule,
  rung: due,
  rungBy: 'queued',
});

/** Records that a run began, on schedule or by command. */
export const begun = ({ rung, rungBy: by, ...schedule }: Schedule, at: Instant): Schedule => ({
  ...schedule,
  runs: keep(schedule.runs, { due: rung ?? at, result: 'running', startedAt: at, ...(by && { by }) }),
});

/** Records a run that was skipped because a dependency was skipped. */
export const leftOut = (
  { rung, rungBy: by, ...schedule }: Schedule,
  { at, error }: { readonly at: Instant; readonly error?: ServiceError },
): Schedule => ({
  ...schedule,
  runs: keep(schedule.runs, {
    due: rung ?? at,
    result: 'skipped',
    endedAt: at,
    ...(error && { error }),
    ...(by && { by }),
  }),
});

/** Returns the result of a scheduled run, from the cause of its stop and its exit status. */
export const resultOf = (cause: StopCause, exit: ExitStatus | undefined): CronRun['result'] => {
  if (cause.tag === 'timeout') return 'timeout';
  if (cause.tag === 'unhealthy') return 'failure';
  if (cause.tag !== 'exited') return 'stopped';
  if (exit === undefined || exit.tag === 'unknown') return 'unknown';
  return isSuccess(exit) ? 'success' : 'failure';
};

/** Records the highest memory use of the current run so far, in bytes. */
export const peaked = (schedule: Schedule, peakMemoryBytes: number): Schedule => ({
  ...schedule,
  runs: schedule.runs.map((run) => (run.result === 'running' ? { ...run, peakMemoryBytes } : run)),
});

interface Ended {
  readonly at: Instant;
  readonly result: CronRun['result'];
  readonly exit?: ExitStatus;
  readonly exitedAt?: Instant;
  readonly error?: ServiceError;
}

/** Records the end and result of the current run. */
export const ended = (schedule: Schedule, { at, ...how }: Ended): Schedule => {
  const index = schedule.runs.findLastIndex((run) => run.result === 'running');
  const running = schedule.runs[index];
  if (running === undefined) return schedule;
  return { ...schedule, runs: schedule.runs.with(index, { ...running, ...how, endedAt: at }) };
};

/** Records the current scheduled run, if there is one, as stopped. */
export const cutOff = (schedule: Schedule, at: Instant): Schedule =>
  ended(schedule, { at, result: 'stopped' });

/**
 * If a scheduled time still waits for its run, records it as missed, because the run will not begin any more.
 */
export const dropped = ({ rung, rungBy: _, ...schedule }: Schedule): Schedule =>
  rung === undefined ? schedule : passed(schedule, rung, 'missed');

/**
 * Returns the schedule of a service that is being stopped. A scheduled time that waits for its run is missed.
 * If only the supervisor ends, `catch_up: once` keeps this time for the next supervisor.
 */
export const halted = ({ spec, resume, leaving }: ServiceOrRun, schedule: Schedule): Schedule =>
  resume === true && leaving !== true && spec.cron?.catchUp === 'once' && schedule.rung !== undefined
    ? { ...schedule, rungBy: 'caught-up' }
    : dropped(schedule);

/**
 * Records that a start was cancelled. A run that has begun is stopped; a scheduled time that waits for its
 * run is missed.
 */
export const calledOff = (service: ServiceOrRun, at: Instant): Schedule =>
  halted(service, cutOff(service.schedule, at));

/** Returns when the scheduled run began or was skipped, if it did. */
export const ranAt = ({ startedAt, endedAt }: CronRun): Instant | undefined => startedAt ?? endedAt;

const JUDGED: ReadonlySet<CronRun['result']> = new Set(['success', 'failure', 'timeout']);

/** Returns the newest scheduled run that failed or timed out, unless a later run has succeeded. */
export const failedRun = ({ spec, schedule }: Run): CronRun | undefined => {
  if (spec.kind !== 'cron') return undefined;
  const last = schedule.runs.findLast(({ result }) => JUDGED.has(result));
  return last === undefined || last.result === 'success' ? undefined : last;
};
