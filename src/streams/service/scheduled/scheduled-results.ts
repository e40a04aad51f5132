// What is recorded of each scheduled time: the run with its result, or why there was no run. The last 50 are
// kept.
// Rules: `docs/behaviour.md`, "Schedules", "A run that fails", "The last 50 runs"; `docs/behaviour.md`,
// "Readiness".
import type { ServiceError } from '../../domain/errors/error.ts';
import { isSuccess, type ExitStatus } from '../../domain/service/exit-status.ts';
import type { CronRun, Schedule } from '../../domain/service/service-run.ts';
import type { ServiceOrRun, StopCause } from '../../domain/service/service.ts';
import type { Instant } from '../../domain/time.ts';

/** The number of past scheduled runs that are recorded for each service. */
export const KEPT_RUNS = 50;

const keep = (runs: readonly CronRun[], run: CronRun): readonly CronRun[] => [...runs, run].slice(-KEPT_RUNS);

/**
 * Records that a scheduled time got no run. `overlap`: because the previous run was still alive. `missed`:
 * for another reason.
 */
export const passed = (schedule: Schedule, due: Instant, result: 'overlap' | 'missed'): Schedule => ({
  ...schedule,
  runs: keep(schedule.runs, { due, result }),
});

/** Records that a run began, on schedule or by command. */
export const begun = ({ rung, rungBy: by, ...schedule }: Schedule, at: Instant): Schedule => ({
  ...schedule,
  runs: keep(schedule.runs, { due: rung ?? at, result: 'running', startedAt: at, ...(by && { by }) }),
});

/** Records that a run was skipped because a dependency was skipped. */
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

export interface HowEnded {
  readonly at: Instant;
  readonly result: CronRun['result'];
  readonly exit?: ExitStatus;
  readonly exitedAt?: Instant;
  readonly error?: ServiceError;
}

/** Records the end and result of the current run. */
export const ended = (schedule: Schedule, { at, ...how }: HowEnded): Schedule => {
  const index = schedule.runs.findLastIndex((run) => run.result === 'running');
  const running = schedule.runs[index];
  if (running === undefined) return schedule;
  return { ...schedule, runs: schedule.runs.with(index, { ...running, ...how, endedAt: at }) };
};

/** Records that the current scheduled run, if there is one, was stopped. */
export const cutOff = (schedule: Schedule, at: Instant): Schedule =>
  ended(schedule, { at, result: 'stopped' });

/**
 * If a scheduled time still waits for its run, records this time as missed, because the run will not begin.
 */
export const dropped = ({ rung, rungBy: _, ...schedule }: Schedule): Schedule =>
  rung === undefined ? schedule : passed(schedule, rung, 'missed');

/**
 * Returns the schedule of a service that is being stopped. A scheduled time that waits for its run is
 * recorded as missed. Exception: if only the supervisor ends, `catch_up: once` keeps this time for the next
 * supervisor.
 */
export const halted = ({ spec, resume, leaving }: ServiceOrRun, schedule: Schedule): Schedule =>
  resume === true && leaving !== true && spec.cron?.catchUp === 'once' && schedule.rung !== undefined
    ? { ...schedule, rungBy: 'caught-up' }
    : dropped(schedule);

/**
 * Records that a start was cancelled. A run that has begun is recorded as stopped, and a scheduled time that
 * waits for its run as missed.
 */
export const calledOff = (service: ServiceOrRun, at: Instant): Schedule =>
  halted(service, cutOff(service.schedule, at));

/** Returns when the scheduled run began or was skipped; `undefined` for a scheduled time without a run. */
export const ranAt = ({ startedAt, endedAt }: CronRun): Instant | undefined => startedAt ?? endedAt;
