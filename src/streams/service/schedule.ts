// The schedule of a cron service: its next scheduled time and its last runs (`docs/behaviour.md`,
// "Schedules").
// Rules: `docs/behaviour.md`, "Schedules", "The last 50 runs".
import { nextDue } from '../cron/next-due.ts';
import { isSuccess, type ExitStatus } from '../domain/service/exit.ts';
import type { ServiceError } from '../domain/errors/error.ts';
import type { CronRun, Run, Schedule } from '../domain/service/service-run.ts';
import type { StopCause } from '../domain/service/service-state.ts';
import type { Instant } from '../domain/time.ts';

/** Maximum number of runs that are kept for each service; then the oldest is dropped. */
const KEPT = 50;

const keep = (runs: readonly CronRun[], run: CronRun): readonly CronRun[] => [...runs, run].slice(-KEPT);

/** Returns the schedule with its next time after `at`. Without `cron` there is no next time. */
export const rescheduled = (service: Run, at: Instant): Schedule => {
  const due = service.spec.cron && nextDue(service.spec.cron, at);
  const { due: _passed, ...rest } = service.schedule;
  return due === undefined ? rest : { ...rest, due };
};

/**
 * Returns the schedule of a service that is no longer scheduled: it keeps the recorded runs and has no next
 * time.
 */
const unscheduled = ({ runs }: Schedule): Schedule => ({ runs });

const isSameCron = (one: Run['spec'], other: Run['spec']): boolean =>
  one.cron?.expression === other.cron?.expression && one.cron?.timezone === other.cron?.timezone;

/**
 * Returns the service with its next scheduled time computed again if the expression or time zone changed. A
 * service without `cron` has no next time.
 */
export const reboundTo = <R extends Run>(before: Run, service: R, at: Instant): R => {
  const { spec } = service;
  if (isSameCron(before.spec, spec)) return service;
  const schedule = spec.kind === 'cron' ? rescheduled(service, at) : unscheduled(service.schedule);
  return { ...service, schedule };
};

/** Records a scheduled time at which no run began. */
export const passed = (schedule: Schedule, due: Instant, result: 'overlap' | 'missed'): Schedule => ({
  ...schedule,
  runs: keep(schedule.runs, { due, result }),
});

/** Records the start of a run, at a scheduled time or because a command requested it. */
export const begun = ({ rung, ...schedule }: Schedule, at: Instant): Schedule => ({
  ...schedule,
  runs: keep(schedule.runs, { due: rung ?? at, result: 'running', startedAt: at }),
});

/** Returns the schedule with a new record: a run that is skipped because a dependency was skipped. */
export const leftOut = (
  { rung, ...schedule }: Schedule,
  { at, error }: { readonly at: Instant; readonly error?: ServiceError },
): Schedule => ({
  ...schedule,
  runs: keep(schedule.runs, { due: rung ?? at, result: 'skipped', endedAt: at, ...(error && { error }) }),
});

/** Returns the result of a run with this stop cause and exit status. */
export const resultOf = (cause: StopCause, exit: ExitStatus | undefined): CronRun['result'] => {
  if (cause.tag === 'timeout') return 'timeout';
  if (cause.tag === 'unhealthy') return 'failure';
  if (cause.tag !== 'exited') return 'stopped';
  if (exit === undefined || exit.tag === 'unknown') return 'unknown';
  return isSuccess(exit) ? 'success' : 'failure';
};

/** Records a new memory peak of the current run, in bytes. */
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

/** Records how the current run ended. */
export const ended = (schedule: Schedule, { at, ...how }: Ended): Schedule => {
  const index = schedule.runs.findLastIndex((run) => run.result === 'running');
  const running = schedule.runs[index];
  if (running === undefined) return schedule;
  return { ...schedule, runs: schedule.runs.with(index, { ...running, ...how, endedAt: at }) };
};

/** Records the current run, if there is one, as stopped. It never had a process. */
export const cutOff = (schedule: Schedule, at: Instant): Schedule =>
  ended(schedule, { at, result: 'stopped' });

/**
 * Cancels a start: a scheduled time whose run has not begun is recorded as missed; otherwise the current run
 * is recorded as stopped.
 */
export const calledOff = ({ rung, ...schedule }: Schedule, at: Instant): Schedule =>
  rung === undefined ? cutOff(schedule, at) : passed(schedule, rung, 'missed');

/** Returns when the run began or was skipped; `undefined` for a scheduled time without a run. */
export const ranAt = ({ startedAt, endedAt }: CronRun): Instant | undefined => startedAt ?? endedAt;

const JUDGED: ReadonlySet<CronRun['result']> = new Set(['success', 'failure', 'timeout']);

/**
 * Returns the newest run that succeeded, failed or timed out, unless it succeeded. `undefined` if there is
 * none, or if the service is no longer scheduled.
 */
export const failedRun = ({ spec, schedule }: Run): CronRun | undefined => {
  if (spec.kind !== 'cron') return undefined;
  const last = schedule.runs.findLast(({ result }) => JUDGED.has(result));
  return last === undefined || last.result === 'success' ? undefined : last;
};
