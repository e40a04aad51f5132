// What a cron service remembers: its next boundary and its last runs (`docs/behaviour.md`, "Schedules").
import { nextDue } from '../cron/schedule.ts';
import { isSuccess, type ExitStatus } from '../domain/service/exit.ts';
import type { ServiceError } from '../domain/errors/error.ts';
import type { CronRun, Schedule, Service, StopCause } from '../domain/service/service.ts';
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

/** It is no job any more: its runs stay, and there is no boundary to wait for. */
const unscheduled = ({ runs }: Schedule): Schedule => ({ runs });

const isSameCron = (one: Service['spec'], other: Service['spec']): boolean =>
  one.cron?.expression === other.cron?.expression && one.cron?.timezone === other.cron?.timezone;

/** Whoever has another expression or zone than before goes by that, and by none where it is no job any more. */
export const reboundTo = (before: Service, service: Service, at: Instant): Service => {
  const { spec } = service;
  if (isSameCron(before.spec, spec)) return service;
  const schedule = spec.kind === 'cron' ? rescheduled(service, at) : unscheduled(service.schedule);
  return { ...service, schedule };
};

/** A boundary was met, and no run begins for it. */
export const passed = (schedule: Schedule, due: Instant, result: 'overlap' | 'missed'): Schedule => ({
  ...schedule,
  runs: keep(schedule.runs, { due, result }),
});

/** A run begins: for the boundary that rang, or now because somebody asked for it. */
export const begun = ({ rung, ...schedule }: Schedule, at: Instant): Schedule => ({
  ...schedule,
  runs: keep(schedule.runs, { due: rung ?? at, result: 'running', startedAt: at }),
});

/** A run was due, or asked for, that what it needs leaves out. */
export const leftOut = (
  { rung, ...schedule }: Schedule,
  { at, error }: { readonly at: Instant; readonly error?: ServiceError },
): Schedule => ({
  ...schedule,
  runs: keep(schedule.runs, { due: rung ?? at, result: 'skipped', endedAt: at, ...(error && { error }) }),
});

/** What became of a run that ended for this reason and in this way. */
export const resultOf = (cause: StopCause, exit: ExitStatus | undefined): CronRun['result'] => {
  if (cause.tag === 'timeout') return 'timeout';
  if (cause.tag === 'unhealthy') return 'failure';
  if (cause.tag !== 'exited') return 'stopped';
  if (exit === undefined || exit.tag === 'unknown') return 'unknown';
  return isSuccess(exit) ? 'success' : 'failure';
};

/** The run under way has taken more memory than was known. */
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

/** The run under way is over. */
export const ended = (schedule: Schedule, { at, ...how }: Ended): Schedule => {
  const index = schedule.runs.findLastIndex((run) => run.result === 'running');
  const running = schedule.runs[index];
  if (running === undefined) return schedule;
  return { ...schedule, runs: schedule.runs.with(index, { ...running, ...how, endedAt: at }) };
};

/** The run under way, if there is one, is not wanted any more, and never had a process. */
export const cutOff = (schedule: Schedule, at: Instant): Schedule =>
  ended(schedule, { at, result: 'stopped' });

/** Nobody waits for a run any more: a boundary that did is missed, and none of a later run. */
export const calledOff = ({ rung, ...schedule }: Schedule, at: Instant): Schedule =>
  rung === undefined ? cutOff(schedule, at) : passed(schedule, rung, 'missed');

/** When it began, or was left out; `undefined`: it never was a run. */
export const ranAt = ({ startedAt, endedAt }: CronRun): Instant | undefined => startedAt ?? endedAt;

const JUDGED: ReadonlySet<CronRun['result']> = new Set(['success', 'failure', 'timeout']);

/**
 * The newest run that came to a result, when that was a failure: until the next success something is wrong. What is no
 * job any more is judged by what it is now, whatever its runs came to.
 */
export const failedRun = ({ spec, schedule }: Service): CronRun | undefined => {
  if (spec.kind !== 'cron') return undefined;
  const last = schedule.runs.findLast(({ result }) => JUDGED.has(result));
  return last === undefined || last.result === 'success' ? undefined : last;
};
