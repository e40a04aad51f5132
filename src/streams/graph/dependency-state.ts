// Computes what the state of a service means for other services: whether it satisfies a dependent, has
// failed, or is alive.
// Rules: `docs/behaviour.md`, "Starting", "Order"; `docs/behaviour.md`, "Casualties", "There are no
// casualties"; `docs/behaviour.md`, "Schedules", "Dependents"; `docs/behaviour.md`, "Casualties".
import { isFollowed } from '../domain/service/child.ts';
import { isCleanEnd } from '../domain/errors/error.ts';
import { isSuccess } from '../domain/service/exit-status.ts';
import type { ServiceId } from '../domain/ids.ts';
import type { Run } from '../domain/service/service-run.ts';
import type { Service, StopCause } from '../domain/service/service.ts';
import type { Dependency } from '../domain/declared/spec.ts';
import { isReverting } from '../rollout/rollout-input.ts';

/** True if dependents with this `condition` may start. A cron service satisfies `started` without a run. */
export const satisfies = (service: Service, condition: Dependency['condition']): boolean => {
  const { actual, spec } = service;
  if (actual.tag === 'down') return actual.why.tag === 'completed' || actual.why.tag === 'ended';
  if (condition === 'completed') return false;
  return actual.tag === 'up' || (spec.kind === 'cron' && service.wanted === 'up');
};

/** True if the service may still satisfy dependents with this `condition` without a further command. */
export const isComing = (service: Service, condition: Dependency['condition']): boolean => {
  const { actual, wanted } = service;
  if (wanted === 'down') return false;
  if (actual.tag === 'up') return condition === 'completed';
  if (actual.tag === 'stopping') return !hasFailed(service);
  return actual.tag === 'waiting' || isUnderWay(service);
};

/** True if the service was skipped, by its own `skip` or with a dependency. */
export const isSkipped = ({ actual }: Service): boolean =>
  actual.tag === 'down' && actual.why.tag === 'skipped';

/** Returns the skipped dependency that caused the service to be skipped; `undefined` if there is none. */
export const skippedWith = ({ actual }: Service): ServiceId | undefined => {
  if (actual.tag !== 'down' || actual.why.tag !== 'skipped') return undefined;
  const { by } = actual.why;
  return by === 'command' || by === 'manifest' ? undefined : by;
};

const stopIsFailure = (cause: StopCause, service: Service): boolean => {
  if (cause.tag === 'unhealthy') return true;
  return cause.tag === 'exited' && !(service.lastExit !== undefined && isSuccess(service.lastExit.status));
};

/** True if the service exited unsuccessfully, became unhealthy or could not start. */
export const hasFailed = (service: Service): boolean => {
  const { actual, wanted, spec } = service;
  if (wanted === 'down' || spec.kind === 'cron') return false;
  switch (actual.tag) {
    case 'stopping':
      return stopIsFailure(actual.cause, service);
    case 'backing-off':
      return !isCleanEnd(actual.error);
    case 'broken':
      return true;
    case 'down':
      return actual.why.tag === 'failed';
    default:
      return false;
  }
};

/** True if the run has a process that is not ending, or is about to get one. */
export const isRunning = ({ actual }: Pick<Run, 'actual'>): boolean =>
  actual.tag === 'spawning' || actual.tag === 'starting' || actual.tag === 'up';

/** True if the run has a process, or is about to get one. */
export const isAlive = (run: Pick<Run, 'actual'>): boolean => isRunning(run) || run.actual.tag === 'stopping';

/**
 * True if the run is alive and can still end. False in the phase `unverified`: its processes live in spite of
 * SIGKILL.
 */
const isEnding = (run: Run): boolean =>
  isAlive(run) && !(run.actual.tag === 'stopping' && run.actual.phase === 'unverified');

/** True if the service has children that must end, or leftover processes that may still be killed. */
export const hasLeftovers = (service: Service): boolean =>
  isFollowed(service) || (service.remnants ?? []).some(({ unverified }) => !unverified);

/** True if the second run of a rollout is alive, or the traffic is being switched back. */
const isRollingBack = ({ rollout }: Service): boolean =>
  rollout !== undefined && (isReverting(rollout) || isEnding(rollout.other));

/** True if the service blocks the stop of its dependencies: it must stop and has not stopped completely. */
export const blocksStop = (service: Service): boolean =>
  service.wanted === 'down' && (isEnding(service) || hasLeftovers(service) || isRollingBack(service));

/**
 * True while the service is being started and is not ready. Such a service counts for `start/max_concurrent`.
 */
export const isUnderWay = ({ actual }: Service): boolean =>
  actual.tag === 'preparing' || actual.tag === 'spawning' || actual.tag === 'starting';
