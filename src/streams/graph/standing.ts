// What a service's state means to its neighbours: is it there for a dependent, has it failed, is something of it alive.
import { isFollowed } from '../children/following.ts';
import { isCleanEnd } from '../domain/errors/clean-end.ts';
import { isSuccess } from '../domain/service/exit.ts';
import type { ServiceId } from '../domain/ids.ts';
import type { Service, StopCause } from '../domain/service/service.ts';
import type { Dependency } from '../domain/declared/spec.ts';
import { isReverting } from '../rollout/input.ts';

/** What `depends_on` waits for: ready, or ended well; a schedule is enough (`docs/behaviour.md`, "Starting"). */
export const satisfies = (service: Service, condition: Dependency['condition']): boolean => {
  const { actual, spec } = service;
  if (actual.tag === 'down') return actual.why.tag === 'completed' || actual.why.tag === 'ended';
  if (condition === 'completed') return false;
  return actual.tag === 'up' || (spec.kind === 'cron' && service.wanted === 'up');
};

/** It was left out, by its own `skip` or by that of a dependency. */
export const isSkipped = ({ actual }: Service): boolean =>
  actual.tag === 'down' && actual.why.tag === 'skipped';

/** The dependency that it was left out with. */
export const skippedWith = ({ actual }: Service): ServiceId | undefined => {
  if (actual.tag !== 'down' || actual.why.tag !== 'skipped') return undefined;
  const { by } = actual.why;
  return by === 'command' || by === 'manifest' ? undefined : by;
};

const stopIsFailure = (cause: StopCause, service: Service): boolean => {
  if (cause.tag === 'unhealthy') return true;
  return cause.tag === 'exited' && !(service.lastExit !== undefined && isSuccess(service.lastExit.status));
};

/** It exited unsuccessfully, lost its health or could not be started: its dependents fall. */
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

/** A process of it is there, or about to be, and its end has not begun. */
export const isRunning = ({ actual }: Pick<Service, 'actual'>): boolean =>
  actual.tag === 'spawning' || actual.tag === 'starting' || actual.tag === 'up';

/** A process of it is alive, or about to be. */
export const isAlive = (service: Service): boolean => isRunning(service) || service.actual.tag === 'stopping';

/** Something of it is alive, and there is hope that it ends. */
const isEnding = (service: Service): boolean =>
  isAlive(service) && !(service.actual.tag === 'stopping' && service.actual.phase === 'unverified');

/** What is left of its earlier runs has not been given up, or children of it are to end and have not. */
export const isHunted = (service: Service): boolean =>
  isFollowed(service) || (service.remnants ?? []).some(({ unverified }) => !unverified);

/** Its second run is alive, or its traffic is on the way back: the switch is taken back with nobody alive, too. */
const isRollingBack = ({ rollout }: Service): boolean =>
  rollout !== undefined && (isReverting(rollout) || isEnding(rollout.other));

/** It holds up the stop of what it depends on: it is to stop too, and is not done with it. */
export const holdsUp = (service: Service): boolean =>
  service.wanted === 'down' && (isEnding(service) || isHunted(service) || isRollingBack(service));

/** On the way to readiness: it takes a place in the gate. */
export const isUnderWay = ({ actual }: Service): boolean =>
  actual.tag === 'preparing' || actual.tag === 'spawning' || actual.tag === 'starting';
