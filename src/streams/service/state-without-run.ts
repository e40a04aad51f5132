// Computes the next state of a service that must be up and has no run: `waiting` (to start now), or
// `scheduled` (for its next time) if its newest declaration has a schedule.
// Rules: `docs/behaviour.md`, "Schedules", "A service that becomes a job".
import type { Run } from '../domain/service/service-run.ts';
import type { ServiceOrRun, ServiceState } from '../domain/service/service.ts';
import type { Instant } from '../domain/time.ts';
import { isLiveChange } from '../rollout/without-restart.ts';
import type { Change } from './service-input.ts';
import { rescheduled } from './schedule.ts';

type Patch = NonNullable<Change['patch']>;

const WAITING: ServiceState = { tag: 'waiting', for: 'dependencies' };

/**
 * Returns the changed fields of a service that is started or restarted: it should be up, and its count of
 * automatic starts is 0, so that the breaker counts from the beginning.
 */
export const wantedUp = (insisted: boolean): Patch => ({
  wanted: 'up',
  attempts: 0,
  recovering: false,
  insisted,
});

/** Returns the declaration that the next run uses: the newest one. */
export const latest = ({ spec, revised }: ServiceOrRun): Run['spec'] => revised ?? spec;

/** True if the newest declaration needs a new process, so that even a finished service must run again. */
export const isDeclaredAgain = ({ spec, revised }: ServiceOrRun): boolean =>
  revised !== undefined && !isLiveChange(spec, revised);

/**
 * Returns the service with its newest declaration. During a rollout it is unchanged, because the newest
 * declaration then belongs to the candidate.
 */
export const renewed = (service: ServiceOrRun): ServiceOrRun => {
  const { revised, ...rest } = service;
  return revised === undefined || service.rollout !== undefined ? service : { ...rest, spec: revised };
};

/**
 * If a scheduled service has just begun to wait for its next scheduled time, returns it with its newest
 * declaration.
 */
export const betweenBoundaries = (before: ServiceOrRun, service: ServiceOrRun): ServiceOrRun =>
  service.actual.tag === 'scheduled' && before.actual.tag !== 'scheduled' && latest(service).kind === 'cron'
    ? renewed(service)
    : service;

/**
 * True if the newer declaration adds a schedule. Then neither the restart policy nor a recovered dependency
 * starts a run: the service waits for its next scheduled time.
 */
export const becomesJob = ({ spec }: ServiceOrRun, next: Run['spec']): boolean =>
  spec.kind !== 'cron' && next.kind === 'cron';

/**
 * Makes the service wait until its dependencies are ready and the limit of simultaneous starts permits it. As
 * it has no process, its newest declaration is applied now; but one that adds a schedule is applied later, by
 * `begin`.
 */
export const wait = (service: ServiceOrRun, patch: Patch = {}): Change => {
  const { spec, insisted } = { ...renewed(service), ...patch };
  const takesUp = insisted || !becomesJob(service, spec);
  return { to: WAITING, patch: takesUp ? { ...patch, spec } : patch };
};

/**
 * Makes a scheduled service wait for its next scheduled time. If the user had named it, that ends here: the
 * next run obeys `skip`.
 */
export const betweenRuns = (patch: Patch = {}): Change => ({
  to: { tag: 'scheduled' },
  patch: { ...patch, insisted: false },
});

/**
 * Makes the service wait for the next scheduled time of its newest declaration. If that declaration has
 * `skip: true`, the service goes down as skipped instead.
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

/**
 * Returns the state change after a run that another one must follow: the service waits to start. A scheduled
 * service waits for its next scheduled time, unless the user named it.
 */
export const withoutRun = (service: ServiceOrRun, at: Instant, patch: Patch): Change => {
  if (latest(service).kind !== 'cron' || service.insisted) return wait(service, patch);
  const { to, patch: scheduled } = onSchedule({ ...service, ...patch }, at);
  return { ...(to && { to }), patch: { ...patch, ...scheduled } };
};
