// Computes the next scheduled time of a cron service, and the delay by `cron.jitter`.
// Rules: `docs/behaviour.md`, "Schedules", "With jitter", "A service that becomes a job".
import type { Run, Schedule } from '../domain/service/service-run.ts';
import { hashOf } from '../domain/hash.ts';
import { between, type Instant, ms, type Ms, plus } from '../domain/time.ts';
import { nextDue } from './cron-expression.ts';

/**
 * Returns the delay of a run after its scheduled time `due`. The delay ends before the next scheduled time.
 */
const delayOf = ({ id, cron }: Run['spec'], due: Instant): Ms => {
  if (cron?.jitter === undefined) return ms(0);
  const next = nextDue(cron, due);
  const most = next === undefined ? cron.jitter : Math.min(cron.jitter, between(due, next) - 1);
  return ms(hashOf(`${id}@${due}`) % (most + 1));
};

/** True if the scheduled time `due` has come, and the delay of its run is not over. */
const isDelayed = ({ due, delay = ms(0) }: Schedule, at: Instant): boolean =>
  due !== undefined && due <= at && at < plus(due, delay);

/**
 * Returns a copy of the schedule in which the next time is the first scheduled time after `at`. Returns the
 * schedule unchanged while the delay of a run is not over.
 */
export const rescheduled = (service: Run, at: Instant): Schedule => {
  const { spec, schedule } = service;
  if (spec.cron !== undefined && isDelayed(schedule, at)) return schedule;
  const due = spec.cron && nextDue(spec.cron, at);
  const { due: _passed, delay: _delay, ...rest } = schedule;
  if (due === undefined) return rest;
  const delay = delayOf(spec, due);
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
