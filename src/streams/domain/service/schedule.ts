// Reads the schedule of a service. This file does not load the cron parser, because the views import this
// file and short commands must start fast. `cron/next-run-time.ts` computes the next scheduled time, and
// `service/scheduled/scheduled-runs.ts` records runs.
// Rules: `docs/behaviour.md`, "Schedules", "A service that becomes a job".
import { ms, plus, type Instant } from '../time.ts';
import type { CronRun, Run, Schedule } from './service-run.ts';

/** Returns when the next run begins: its scheduled time plus the delay by `cron.jitter`. */
export const nextRunAt = ({ due, delay = ms(0) }: Schedule): Instant | undefined =>
  due === undefined ? undefined : plus(due, delay);

const JUDGED: ReadonlySet<CronRun['result']> = new Set(['success', 'failure', 'timeout']);

/** Returns the newest scheduled run that failed or timed out; `undefined` if a run has succeeded after it. */
export const failedRun = ({ spec, schedule }: Run): CronRun | undefined => {
  if (spec.kind !== 'cron') return undefined;
  const last = schedule.runs.findLast(({ result }) => JUDGED.has(result));
  return last === undefined || last.result === 'success' ? undefined : last;
};
