// Computes the next scheduled time of a cron service.
//
// When the clocks change, an expression of all 24 hours (`*/15 * * * *`) follows real time: it is due
// whenever the clock shows a matching time. Other expressions name times of day, and each time is due once a
// day: a skipped time at the end of the gap, and a repeated time only the first time. cron-parser alone is
// late after a gap, loses times at half-hour changes, and can repeat times. So it is used only with UTC,
// where clocks never change, and its results are converted to the time zone.
// Rules: `docs/behaviour.md`, "Schedules", "When the local time changes", "A service that becomes a job", "If
// the clock of the machine is set back".
import type { CronSpec } from '../domain/declared/spec.ts';
import type { Run, Schedule } from '../domain/service/service-run.ts';
import { instant, type Instant } from '../domain/time.ts';
import { parseExpression } from './cron-expression.ts';
import { delayOf, isDelayed } from './jitter.ts';
import { changeBetween, firstShown, furthestReading, type OffsetAt, offsetIn } from './zone.ts';

const HOURS = 24;

/** A function that returns the first clock reading after the given reading that matches the expression. */
type Search = (reading: number) => number;

/** Returns the next due time of an expression that follows real time. `reading`: the wall clock at `at`. */
const nextInRealTime = (search: Search, offsetAt: OffsetAt, [at, reading]: [number, number]): number => {
  const due = search(reading) - offsetAt(at);
  if (offsetAt(due) === offsetAt(at)) return due;
  const change = changeBetween(offsetAt, at, due);
  return nextInRealTime(search, offsetAt, [change, change + offsetAt(change) - 1]);
};

/** Returns the first due time after `after`; `undefined` if there is none, such as for 31 February. */
export const nextDue = ({ expression, timezone }: CronSpec, after: Instant): Instant | undefined => {
  try {
    const offsetAt = offsetIn(timezone);
    const everyHour = parseExpression(expression, after).fields.hour.values.length === HOURS;
    const search: Search = (reading) => parseExpression(expression, reading).next().getTime();
    if (everyHour) return instant(nextInRealTime(search, offsetAt, [after, after + offsetAt(after)]));
    return instant(firstShown(search(furthestReading(after, offsetAt)), offsetAt));
  } catch {
    // cron-parser found no due time within its limits. An invalid expression was already refused.
    return undefined;
  }
};

/**
 * Returns a copy of the schedule in which the next time is the first scheduled time after `at`. Returns the
 * schedule unchanged while the delay of a run is not over.
 */
export const rescheduled = (service: Run, at: Instant): Schedule => {
  const { spec, schedule } = service;
  if (spec.cron !== undefined && isDelayed(schedule, at)) return schedule;
  const due = spec.cron && nextDue(spec.cron, at);
  const { due: _passed, delay: _delay, ...rest } = schedule;
  if (spec.cron === undefined || due === undefined) return rest;
  const delay = delayOf(spec, due, nextDue(spec.cron, due));
  return { ...rest, due, ...(delay > 0 && { delay }) };
};

/** Returns a copy of the schedule that has no next time, for a service that no longer has a `cron`. */
const unscheduled = ({ runs }: Schedule): Schedule => ({ runs });

/** True if both declarations have the same scheduled times. */
export const hasSameTimes = (one: Run['spec'], other: Run['spec']): boolean =>
  one.cron?.expression === other.cron?.expression && one.cron?.timezone === other.cron?.timezone;

/**
 * Returns the service. Computes its next time again if expression, time zone or jitter differ from `before`.
 */
export const reboundTo = <R extends Run>(before: Run, service: R, at: Instant): R => {
  const { spec, schedule } = service;
  const same = hasSameTimes(before.spec, spec);
  if (same && before.spec.cron?.jitter === spec.cron?.jitter) return service;
  if (spec.kind !== 'cron') return { ...service, schedule: unscheduled(schedule) };
  const { due: _due, delay: _delay, ...rest } = schedule;
  return { ...service, schedule: rescheduled(same ? service : { ...service, schedule: rest }, at) };
};
