// The next scheduled time of a cron service.
// Rules: `docs/behaviour.md`, "Schedules", "With jitter", "A service that becomes a job".
import type { Run, Schedule } from '../domain/service/service-run.ts';
import { hashOf } from '../domain/hash.ts';
import { between, type Instant, ms, type Ms, plus } from '../domain/time.ts';
import { nextDue } from './cron-expression.ts';

/**
 * Returns how long after the scheduled time `due` the run begins. The next scheduled time is always later.
 */
const delayOf = ({ id, cron }: Run['spec'], due: Instant): Ms => {
  if (cron?.jitter === undefined) return ms(0);
  const next = nextDue(cron, due);
  const most = next === undefined ? cron.jitter : Math.min(cron.jitter, between(due, next) - 1);
  return ms(hashOf(`${id}@${due}`) % (most + 1));
};

/** True if a scheduled time has come, and its delay is not over. */
const isDelayed = ({ due, delay = ms(0) }: Schedule, at: Instant): boolean =>
  due !== undefined && due <= at && at < plus(due, delay);

/** Returns the schedule with the first scheduled time after `at`, if the service has a `cron`. */
export const rescheduled = (service: Run, at: Instant): Schedule => {
  const { spec, schedule } = service;
  if (spec.cron !== undefined && isDelayed(schedule, at)) return schedule;
  const due = spec.cron && nextDue(spec.cron, at);
  const { due: _passed, delay: _delay, ...rest } = schedule;
  if (due === undefined) return rest;
  const delay = delayOf(spec, due);
  return { ...rest, due, ...(delay > 0 && { delay }) };
};

/** Returns the schedule without a next time, for a service that has no `cron` any more. */
const unscheduled = ({ runs }: Schedule): Schedule => ({ runs });

/** True if both declarations have the same scheduled times. */
export const hasSameTimes = (one: Run['spec'], other: Run['spec']): boolean =>
  one.cron?.expression === other.cron?.expression && one.cron?.timezone === other.cron?.timezone;

/** Returns the service with its next time computed again if expression, time zone or jitter changed. */
export const reboundTo = <R extends Run>(before: Run, service: R, at: Instant): R => {
  const { spec, schedule } = service;
  const same = hasSameTimes(before.spec, spec);
  if (same && before.spec.cron?.jitter === spec.cron?.jitter) return service;
  if (spec.kind !== 'cron') return { ...service, schedule: unscheduled(schedule) };
  const { due: _due, delay: _delay, ...rest } = schedule;
  return { ...service, schedule: rescheduled(same ? service : { ...service, schedule: rest }, at) };
};
