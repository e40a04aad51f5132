// Moves a service that must be up and has no run to the state `waiting`, with its newest declaration.
// Rules: `docs/behaviour.md`, "Schedules", "A service that becomes a job".
import type { Run } from '../domain/service/service-run.ts';
import type { ServiceOrRun, ServiceState } from '../domain/service/service.ts';
import { isLiveChange } from '../rollout/without-restart.ts';
import type { Change } from './service-input.ts';

export type Patch = NonNullable<Change['patch']>;

const WAITING: ServiceState = { tag: 'waiting', for: 'dependencies' };

/** Returns the changed fields of a started service: desired state up, restart count 0. */
export const wantedUp = (insisted: boolean): Patch => ({
  wanted: 'up',
  attempts: 0,
  recovering: false,
  insisted,
});

/** Returns the newest declaration, which the next run will use. */
export const latest = ({ spec, revised }: ServiceOrRun): Run['spec'] => revised ?? spec;

/** True if the newest declaration needs a new run. Because of it, even a completed service runs again. */
export const isDeclaredAgain = ({ spec, revised }: ServiceOrRun): boolean =>
  revised !== undefined && !isLiveChange(spec, revised);

/**
 * Returns the service, in which the pending declaration replaces the current one. During a rollout, returns
 * the service unchanged, because the old run keeps its declaration.
 */
export const renewed = (service: ServiceOrRun): ServiceOrRun => {
  const { revised, ...rest } = service;
  return revised === undefined || service.rollout !== undefined ? service : { ...rest, spec: revised };
};

/**
 * True if the newer declaration adds a schedule to the service. From then on, a run begins only on schedule,
 * or if the user starts the service by name.
 */
export const becomesJob = ({ spec }: ServiceOrRun, next: Run['spec']): boolean =>
  spec.kind !== 'cron' && next.kind === 'cron';

/**
 * Moves the service to `waiting`, with its newest declaration. Exception: a declaration that adds a schedule
 * is applied only when the wait ends.
 */
export const wait = (service: ServiceOrRun, patch: Patch = {}): Change => {
  const { spec, insisted } = { ...renewed(service), ...patch };
  const takesUp = insisted || !becomesJob(service, spec);
  return { to: WAITING, patch: takesUp ? { ...patch, spec } : patch };
};
