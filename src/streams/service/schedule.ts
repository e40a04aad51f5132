// What a cron service remembers: its next boundary and its last runs (`docs/behaviour.md`, "Schedules").
import { nextDue } from '../cron/schedule.ts';
import { isSuccess, type ExitStatus } from '../domain/exit.ts';
import type { CronRun, Schedule, Service, StopCause } from '../domain/service.ts';
import type { Instant } from '../domain/time.ts';

/** Runs kept per service. */
const KEPT = 50;

const keep = (runs: readonly CronRun[], run: CronRun): readonly CronRun[] => [...runs, run].slice(-KEPT);

/** The schedule with its next boundary after `at`; a service without `cron` has none. */
export const rescheduled = (service: Service, at: Instant): Schedule => {
  const due = service.spec.cron && nextDue(service.spec.cron, at);
  const { due: _passed, ...rest } = service.schedule;
  return due === undefined ? rest : { ...rest, due };
};

export const overlapped = (schedule: Schedule, due: Instant): Schedule => ({
  ...schedule,
  runs: keep(schedule.runs, { due, result: 'overlap' }),
});

/** A run begins: for the boundary that rang, or now because somebody asked for it. */
export const begun = ({ rung, ...schedule }: Schedule, at: Instant): Schedule => ({
  ...schedule,
  runs: keep(schedule.runs, { due: rung ?? at, result: 'running', startedAt: at }),
});

const resultOf = (exit: ExitStatus | undefined, cause: StopCause | undefined): CronRun['result'] => {
  if (cause?.tag === 'timeout') return 'timeout';
  if (cause !== undefined && cause.tag !== 'exited' && cause.tag !== 'unhealthy') return 'stopped';
  return exit !== undefined && isSuccess(exit) ? 'success' : 'failure';
};

/** The run under way has taken more memory than was known. */
export const peaked = (schedule: Schedule, peakMemoryBytes: number): Schedule => ({
  ...schedule,
  runs: schedule.runs.map((run) => (run.result === 'running' ? { ...run, peakMemoryBytes } : run)),
});

interface Ended {
  readonly at: Instant;
  readonly exit?: ExitStatus;
  readonly cause?: StopCause;
}

/** The run under way is over. */
export const ended = (schedule: Schedule, { at, exit, cause }: Ended): Schedule => {
  const index = schedule.runs.findLastIndex((run) => run.result === 'running');
  const running = schedule.runs[index];
  if (running === undefined) return schedule;
  const over: CronRun = {
    ...running,
    result: resultOf(exit, cause),
    endedAt: at,
    ...(exit !== undefined && { exit }),
  };
  return { ...schedule, runs: schedule.runs.with(index, over) };
};
