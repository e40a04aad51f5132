// What a service that is wanted becomes when nothing of it runs: it waits for its turn, or, where its newest declaration
// gives it a schedule, for its next boundary.
import type { Service, ServiceState } from '../domain/service/service.ts';
import type { Instant } from '../domain/time.ts';
import { isLiveChange } from '../rollout/without-restart.ts';
import type { Change } from './input.ts';
import { rescheduled } from './schedule.ts';

type Patch = NonNullable<Change['patch']>;

const WAITING: ServiceState = { tag: 'waiting', for: 'dependencies' };

/** An explicit start or restart re-arms the breaker and forgets earlier attempts. */
export const wantedUp = (insisted: boolean): Patch => ({
  wanted: 'up',
  attempts: 0,
  recovering: false,
  insisted,
});

/** The declaration of its next run. */
export const latest = ({ spec, revised }: Service): Service['spec'] => revised ?? spec;

/** Its process would be another one by now: what it has done, it would do otherwise. */
export const isDeclaredAnew = ({ spec, revised }: Service): boolean =>
  revised !== undefined && !isLiveChange(spec, revised);

/** With its newest declaration. The old run of a rollout stays what it was: what is new is the candidate's to prove. */
export const renewed = (service: Service): Service => {
  const { revised, ...rest } = service;
  return revised === undefined || service.rollout !== undefined ? service : { ...rest, spec: revised };
};

/** A job that comes to wait for its boundary is the one that it is declared to be by now. */
export const betweenBoundaries = (before: Service, service: Service): Service =>
  service.actual.tag === 'scheduled' && before.actual.tag !== 'scheduled' && latest(service).kind === 'cron'
    ? renewed(service)
    : service;

/** It was no job so far: neither its policy nor a dependency that is there again is a reason to run it beside its schedule. */
export const becomesJob = ({ spec }: Service, next: Service['spec']): boolean =>
  spec.kind !== 'cron' && next.kind === 'cron';

/**
 * Wanted, and to be started as soon as its dependencies and the gate allow. There is no process that was declared
 * otherwise, so it is what it is declared to be by now; that it becomes a job is told where it would begin.
 */
export const wait = (service: Service, patch: Patch = {}): Change => {
  const { spec, insisted } = { ...renewed(service), ...patch };
  const takesUp = insisted || !becomesJob(service, spec);
  return { to: WAITING, patch: takesUp ? { ...patch, spec } : patch };
};

/** Between two runs. That one was asked for by name is over with it: the next is by the schedule, and `skip` counts. */
export const betweenRuns = (patch: Patch = {}): Change => ({
  to: { tag: 'scheduled' },
  patch: { ...patch, insisted: false },
});

/** A scheduled service waits for its next boundary, by its newest declaration; one that is skipped has none. */
export const onSchedule = (service: Service, at: Instant): Change => {
  const fresh = { ...service, spec: latest(service) };
  if (fresh.spec.skip === true)
    return {
      to: { tag: 'down', why: { tag: 'skipped', by: 'manifest' } },
      patch: { ...wantedUp(false), spec: fresh.spec },
    };
  return betweenRuns({ ...wantedUp(false), spec: fresh.spec, schedule: rescheduled(fresh, at) });
};

/** Its run is over, and it was to begin another: a job does so at its boundary, unless it was asked for by name. */
export const anew = (service: Service, at: Instant, patch: Patch): Change => {
  if (latest(service).kind !== 'cron' || service.insisted) return wait(service, patch);
  const { to, patch: scheduled } = onSchedule({ ...service, ...patch }, at);
  return { ...(to && { to }), patch: { ...patch, ...scheduled } };
};
