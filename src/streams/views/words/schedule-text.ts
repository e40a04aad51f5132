// Makes texts about a schedule: the next run, the last run, and scheduled times that got no run or a late
// run.
// Rules: `docs/behaviour.md`, "Schedules", "If a run is still alive".
import { exitText } from '../../domain/service/exit-status.ts';
import { errorSentence } from '../../domain/errors/error-sentence.ts';
import type { CronRun, Run, Schedule } from '../../domain/service/service-run.ts';
import { between, type Instant, lengthText } from '../../domain/time.ts';
import { failedRun, nextRunAt } from '../../domain/service/schedule.ts';
import { timeText } from './time-text.ts';

/** Returns a scheduled time without milliseconds: `2026-03-01T03:00:00Z`. */
const tickText = (at: Instant): string => `${timeText(at).slice(0, -'.000Z'.length)}Z`;

/** Returns a text about a failed scheduled run. It is shown until a run succeeds. */
export const failureText = ({ result, error, exit }: CronRun): string => {
  if (error !== undefined) return `last run failed: ${errorSentence(error)}`;
  return `last run: ${result}${exit === undefined ? '' : ` (${exitText(exit)})`}`;
};

const PASSED: ReadonlySet<CronRun['result']> = new Set(['overlap', 'missed']);

/**
 * Returns why the last scheduled time was skipped: `skipped at … because the run of … was still running`;
 * `undefined` if it was not skipped.
 */
export const skippedTickText = ({ runs }: Schedule): string | undefined => {
  const last = runs.at(-1);
  if (last?.result !== 'overlap') return undefined;
  const alive = runs.findLast(({ result }) => !PASSED.has(result));
  const why = alive === undefined ? 'a run' : `the run of ${tickText(alive.due)}`;
  return `skipped at ${tickText(last.due)} because ${why} was still running`;
};

/**
 * Returns a text about the queued scheduled time, if there is one. Its run begins when the present run has
 * ended.
 */
export const queuedText = ({ rung, rungBy }: Schedule): string | undefined =>
  rung !== undefined && rungBy === 'queued'
    ? `queued at ${tickText(rung)}: begins when this run has ended`
    : undefined;

/** Returns how late a run began, and why: `queued 40 s`; `undefined` if it was not late. */
const lateText = ({ by, due, startedAt = due }: CronRun): string | undefined => {
  if (by === undefined) return undefined;
  return by === 'caught-up'
    ? `caught up the run of ${tickText(due)}`
    : `${by} ${lengthText(between(due, startedAt))}`;
};

/** Returns a text about a run that begins late: `delayed 12 s: the run of … begins`. */
export const lateBeginText = (run: CronRun): string | undefined => {
  const late = run.by === 'caught-up' ? 'caught up' : lateText(run);
  return late && `${late}: the run of ${tickText(run.due)} begins`;
};

const lastText = ({ runs }: Schedule): string | undefined => {
  const run = runs.findLast(({ result }) => result !== 'overlap');
  const late = run && lateText(run);
  return run && `last run: ${run.result}${late === undefined ? '' : ` (${late})`}`;
};

/** Returns the reason of a service that waits for its next scheduled time. */
export const scheduleText = (service: Run, now: Instant): string => {
  const { schedule } = service;
  const next = nextRunAt(schedule);
  const failed = failedRun(service);
  return [
    next === undefined ? 'its schedule has no next run' : `next run in ${lengthText(between(now, next))}`,
    failed === undefined ? lastText(schedule) : failureText(failed),
    skippedTickText(schedule),
  ]
    .filter((text) => text !== undefined)
    .join('; ');
};
