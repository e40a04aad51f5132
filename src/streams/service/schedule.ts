// The schedule of a cron service: its next boundary and its last runs (`docs/behaviour.md`, "Schedules").
// Rules: `docs/behaviour.md`, "Schedules", "The last 50 runs".
import { nextDue } from '../cron/next-due.ts';
import { isSuccess, type ExitStatus } from '../domain/service/exit.ts';
import type { ServiceError } from '../domain/errors/error.ts';
import type { CronRun, Run, Schedule } from '../domain/service/service-run.ts';
import type { StopCause } from '../domain/service/service-state.ts';
import type { Instant } from '../domain/time.ts';

/** Runs kept per service. */
const KEPT = 50;

const keep = (runs: readonly CronRun[], run: CronRun): readonly CronRun[] => [...runs, run].slice(-KEPT);

/** The schedule with its next boundary after `at`; a service without `cron` has none. */
export const rescheduled = (service: Run, at: Instant): Schedule => {
  const due = service.spec.cron && nextDue(service.spec.cron, at);
  const { due: _passed, ...rest } = service.schedule;
  return due === undefined ? rest : { ...rest, due };
};

/** The service is no longer a job: its runs stay, and it has no next boundary. */
const unscheduled = ({ runs }: Schedule): Schedule => ({ runs });

const isSameCron = (one: Run['spec'], other: Run['spec']): boolean =>
  one.cron?.expression === other.cron?.expression && one.cron?.timezone === other.cron?.timezone;

/**
 * The service with its next boundary computed again if its expression or zone changed; with none if it is no
 * job any more.
 */
export const reboundTo = <R extends Run>(before: Run, service: R, at: Instant): R => {
  const { spec } = service;
  if (isSameCron(before.spec, spec)) return service;
  const schedule = spec.kind === 'cron' ? rescheduled(service, at) : unscheduled(service.schedule);
  return { ...service, schedule };
};

/** Records a boundary for which no run begins. */
export const passed = (schedule: Schedule, due: Instant, result: 'overlap' | 'missed'): Schedule => ({
  ...schedule,
  runs: keep(schedule.runs, { due, result }),
});

/** A run begins: for the boundary that came, or now because a command asked for it. */
export const begun = ({ rung, ...schedule }: Schedule, at: Instant): Schedule => ({
  ...schedule,
  runs: keep(schedule.runs, { due: rung ?? at, result: 'running', startedAt: at }),
});

/** Records a run that is skipped with a dependency. */
export const leftOut = (
  { rung, ...schedule }: Schedule,
  { at, error }: { readonly at: Instant; readonly error?: ServiceError },
): Schedule => ({
  ...schedule,
  runs: keep(schedule.runs, { due: rung ?? at, result: 'skipped', endedAt: at, ...(error && { error }) }),
});

/** The result of a run with this cause and exit. */
export const resultOf = (cause: StopCause, exit: ExitStatus | undefined): CronRun['result'] => {
  if (cause.tag === 'timeout') return 'timeout';
  if (cause.tag === 'unhealthy') return 'failure';
  if (cause.tag !== 'exited') return 'stopped';
  if (exit === undefined || exit.tag === 'unknown') return 'unknown';
  return isSuccess(exit) ? 'success' : 'failure';
};

/** Records a new memory peak of the current run. */
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

/** Ends the current run, if any, as stopped; it never had a process. */
export const cutOff = (schedule: Schedule, at: Instant): Schedule =>
  ended(schedule, { at, result: 'stopped' });

/** Cancels a boundary that waits for its run, which counts as missed; otherwise cuts off the current run. */
export const calledOff = ({ rung, ...schedule }: Schedule, at: Instant): Schedule =>
  rung === undefined ? cutOff(schedule, at) : passed(schedule, rung, 'missed');

/** When it began, or was skipped; `undefined` if there never was a run. */
export const ranAt = ({ startedAt, endedAt }: CronRun): Instant | undefined => startedAt ?? endedAt;

const JUDGED: ReadonlySet<CronRun['result']> = new Set(['success', 'failure', 'timeout']);

/**
 * The newest run with a result, if that was a failure; `undefined` after a success. A service that is no
 * longer a job has none.
 */
export const failedRun = ({ spec, schedule }: Run): CronRun | undefined => {
  if (spec.kind !== 'cron') return undefined;
  const last = schedule.runs.findLast(({ result }) => JUDGED.has(result));
  return last === undefined || last.result === 'success' ? undefined : last;
};
