// The next state of a service that must be up and has no run: `waiting` to start now, or `scheduled` if its
// newest declaration has a schedule.
// Rules: `docs/behaviour.md`, "Schedules", "A service that becomes a job".
import type { Run } from '../domain/service/service-run.ts';
import type { ServiceOrRun, ServiceState } from '../domain/service/service.ts';
import type { Instant } from '../domain/time.ts';
import { isLiveChange } from '../rollout/without-restart.ts';
import type { Change } from './service-input.ts';
import { rescheduled } from '../cron/next-run-time.ts';
import { dropped } from './scheduled-runs.ts';

type Patch = NonNullable<Change['patch']>;

const WAITING: ServiceState = { tag: 'waiting', for: 'dependencies' };

/** Returns the changed fields of a started service: desired state up, restart count 0. */
export const wantedUp = (insisted: boolean): Patch => ({
  wanted: 'up',
  attempts: 0,
  recovering: false,
  insisted,
});

/** Returns the declaration of the next run: the newest one. */
export const latest = ({ spec, revised }: ServiceOrRun): Run['spec'] => revised ?? spec;

/** True if the newest declaration needs a new process, so that even a finished service runs again. */
export const isDeclaredAgain = ({ spec, revised }: ServiceOrRun): boolean =>
  revised !== undefined && !isLiveChange(spec, revised);

/**
 * Returns the service with its newest declaration. During a rollout it is unchanged: the rollout uses the
 * declaration.
 */
export const renewed = (service: ServiceOrRun): ServiceOrRun => {
  const { revised, ...rest } = service;
  return revised === undefined || service.rollout !== undefined ? service : { ...rest, spec: revised };
};

/** Returns the service with its newest declaration, if it just began to wait for its next scheduled time. */
export const betweenBoundaries = (before: ServiceOrRun, service: ServiceOrRun): ServiceOrRun =>
  service.actual.tag === 'scheduled' && before.actual.tag !== 'scheduled' && latest(service).kind === 'cron'
    ? renewed(service)
    : service;

/** True if the newer declaration adds a schedule. From then on, only the schedule starts runs. */
export const becomesJob = ({ spec }: ServiceOrRun, next: Run['spec']): boolean =>
  spec.kind !== 'cron' && next.kind === 'cron';

/**
 * Lets the service wait to start with its newest declaration. One that adds a schedule is applied when the
 * wait ends.
 */
export const wait = (service: ServiceOrRun, patch: Patch = {}): Change => {
  const { spec, insisted } = { ...renewed(service), ...patch };
  const takesUp = insisted || !becomesJob(service, spec);
  return { to: WAITING, patch: takesUp ? { ...patch, spec } : patch };
};

/**
 * Lets a scheduled service wait for its next time, or to start if a time has come already. Its next run obeys
 * `skip` again.
 */
export const betweenRuns = (service: ServiceOrRun, patch: Patch = {}): Change => {
  const next = { ...patch, insisted: false };
  return (patch.schedule ?? service.schedule).rung === undefined
    ? { to: { tag: 'scheduled' }, patch: next }
    : wait(service, next);
};

/**
 * Lets the service wait for the next time by the schedule of its newest declaration. With `skip: true`, skips
 * it.
 */
export const onSchedule = (service: ServiceOrRun, at: Instant): Change => {
  const fresh = { ...service, spec: latest(service) };
  if (fresh.spec.skip === true)
    return {
      to: { tag: 'down', why: { tag: 'skipped', by: 'manifest' } },
      patch: { ...wantedUp(false), spec: fresh.spec, schedule: dropped(service.schedule) },
    };
  return betweenRuns(service, { ...wantedUp(false), spec: fresh.spec, schedule: rescheduled(fresh, at) });
};

/** Returns the change after a run if another run must follow. A scheduled service waits for its next time. */
export const withoutRun = (service: ServiceOrRun, at: Instant, patch: Patch): Change => {
  if (latest(service).kind !== 'cron' || service.insisted) return wait(service, patch);
  const { to, patch: scheduled } = onSchedule({ ...service, ...patch }, at);
  return { ...(to && { to }), patch: { ...patch, ...scheduled } };
};
