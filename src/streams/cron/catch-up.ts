// With `cron.catch_up: once`, a new supervisor begins one run for all scheduled times at which no supervisor
// ran.
// Rules: `docs/behaviour.md`, "Schedules", "Times at which no supervisor ran".
import type { Run } from '../domain/service/service-run.ts';
import { type Instant, ms, plus } from '../domain/time.ts';
import { hasSameTimes } from './next-run-time.ts';

/**
 * Returns the service; if a scheduled time passed while no supervisor ran, a copy in which a run for this
 * time must begin. The copy is made only if `latest`, the newest declaration, has `catch_up: once` and the
 * same scheduled times.
 */
export const caughtUp = <R extends Run>(service: R, latest: Run['spec'], at: Instant): R => {
  const { due, delay = ms(0), rung } = service.schedule;
  const isMissed = due !== undefined && plus(due, delay) <= at && rung === undefined;
  return isMissed && latest.cron?.catchUp === 'once' && hasSameTimes(service.spec, latest)
    ? { ...service, schedule: { ...service.schedule, rung: due, rungBy: 'caught-up' } }
    : service;
};
