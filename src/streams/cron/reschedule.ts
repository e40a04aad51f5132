// The next scheduled time of a cron service.
// Rules: `docs/behaviour.md`, "Schedules".
import type { Run, Schedule } from '../domain/service/service-run.ts';
import type { Instant } from '../domain/time.ts';
import { nextDue } from './next-due.ts';

/** Returns the schedule with the first scheduled time after `at`, if the service has a `cron`. */
export const rescheduled = (service: Run, at: Instant): Schedule => {
  const due = service.spec.cron && nextDue(service.spec.cron, at);
  const { due: _passed, ...rest } = service.schedule;
  return due === undefined ? rest : { ...rest, due };
};

/** Returns the recorded runs without a next time, for a service without `cron`. */
const unscheduled = ({ runs }: Schedule): Schedule => ({ runs });

const isSameCron = (one: Run['spec'], other: Run['spec']): boolean =>
  one.cron?.expression === other.cron?.expression && one.cron?.timezone === other.cron?.timezone;

/** Returns the service with its next time computed again if expression or time zone changed. */
export const reboundTo = <R extends Run>(before: Run, service: R, at: Instant): R => {
  const { spec } = service;
  if (isSameCron(before.spec, spec)) return service;
  const schedule = spec.kind === 'cron' ? rescheduled(service, at) : unscheduled(service.schedule);
  return { ...service, schedule };
};
