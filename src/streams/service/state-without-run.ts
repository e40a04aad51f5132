// The next state of a wanted service that has no run: `waiting`, or `scheduled` if its newest declaration has
// a schedule.
// Rules: `docs/behaviour.md`, "Schedules", "A service that becomes a job".
import type { Run } from '../domain/service/service-run.ts';
import type { ServiceOrRun, ServiceState } from '../domain/service/service.ts';
import type { Instant } from '../domain/time.ts';
import { isLiveChange } from '../rollout/without-restart.ts';
import type { Change } from './service-input.ts';
import { rescheduled } from './schedule.ts';

type Patch = NonNullable<Change['patch']>;

const WAITING: ServiceState = { tag: 'waiting', for: 'dependencies' };

/** The patch of a start or restart: it re-arms the breaker and forgets earlier attempts. */
export const wantedUp = (insisted: boolean): Patch => ({
  wanted: 'up',
  attempts: 0,
  recovering: false,
  insisted,
});

/** The declaration that the next run uses. */
export const latest = ({ spec, revised }: ServiceOrRun): Run['spec'] => revised ?? spec;

/** True if the newest declaration needs a new process, so that a finished service has to run again. */
export const isDeclaredAnew = ({ spec, revised }: ServiceOrRun): boolean =>
  revised !== undefined && !isLiveChange(spec, revised);

/**
 * The service with its newest declaration. In a rollout the old run keeps its own: the new one belongs to the
 * candidate.
 */
export const renewed = (service: ServiceOrRun): ServiceOrRun => {
  const { revised, ...rest } = service;
  return revised === undefined || service.rollout !== undefined ? service : { ...rest, spec: revised };
};

/** A job that begins to wait for its next boundary takes up its newest declaration. */
export const betweenBoundaries = (before: ServiceOrRun, service: ServiceOrRun): ServiceOrRun =>
  service.actual.tag === 'scheduled' && before.actual.tag !== 'scheduled' && latest(service).kind === 'cron'
    ? renewed(service)
    : service;

/**
 * True if the service was no job before and now is. Neither its policy nor a recovered dependency runs it off
 * schedule then.
 */
export const becomesJob = ({ spec }: ServiceOrRun, next: Run['spec']): boolean =>
  spec.kind !== 'cron' && next.kind === 'cron';

/**
 * Wanted; starts as soon as its dependencies and the gate allow. It has no process, so it takes up its newest
 * declaration. If that makes it a job, `begin` applies it later.
 */
export const wait = (service: ServiceOrRun, patch: Patch = {}): Change => {
  const { spec, insisted } = { ...renewed(service), ...patch };
  const takesUp = insisted || !becomesJob(service, spec);
  return { to: WAITING, patch: takesUp ? { ...patch, spec } : patch };
};

/**
 * The state between two runs. An explicit request ends with its run: the next one follows the schedule, and
 * `skip` counts.
 */
export const betweenRuns = (patch: Patch = {}): Change => ({
  to: { tag: 'scheduled' },
  patch: { ...patch, insisted: false },
});

/**
 * Waits for the next boundary of the newest declaration; a service with `skip: true` goes down as skipped.
 */
export const onSchedule = (service: ServiceOrRun, at: Instant): Change => {
  const fresh = { ...service, spec: latest(service) };
  if (fresh.spec.skip === true)
    return {
      to: { tag: 'down', why: { tag: 'skipped', by: 'manifest' } },
      patch: { ...wantedUp(false), spec: fresh.spec },
    };
  return betweenRuns({ ...wantedUp(false), spec: fresh.spec, schedule: rescheduled(fresh, at) });
};

/** A new run after one that ended: a job waits for its next boundary, unless the user named it. */
export const anew = (service: ServiceOrRun, at: Instant, patch: Patch): Change => {
  if (latest(service).kind !== 'cron' || service.insisted) return wait(service, patch);
  const { to, patch: scheduled } = onSchedule({ ...service, ...patch }, at);
  return { ...(to && { to }), patch: { ...patch, ...scheduled } };
};
