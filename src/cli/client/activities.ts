// What each command waits for, by the public words for a service's state: what its progress counts and names.
import type { Selection } from '../../streams/domain/command.ts';
import type { ServiceDocument } from '../../streams/wire/documents/documents.ts';
import type { Activity } from '../render/progress.ts';
import type { StateWord } from '../../streams/wire/documents/basic-documents.ts';

const COMING: ReadonlySet<StateWord> = new Set(['waiting', 'starting', 'backoff', 'stopping']);
const ALIVE: ReadonlySet<StateWord> = new Set(['starting', 'running', 'stopping', 'backoff', 'waiting']);

export const starting = (selection: Selection): Activity => ({
  verb: 'starting',
  selection,
  pending: ({ service }) => COMING.has(service.state) || service.rollout !== null,
});

export const restarting = (selection: Selection): Activity => ({
  ...starting(selection),
  verb: 'restarting',
});

export const applying = (selection: Selection): Activity => ({ ...starting(selection), verb: 'applying' });

export const rollingBack = (selection: Selection): Activity => ({
  ...starting(selection),
  verb: 'rolling back',
});

/** Waits for nothing. */
export const planning = (selection: Selection): Activity => ({
  verb: 'planning',
  selection,
  pending: () => false,
});

export const stopping = (selection: Selection, verb = 'stopping'): Activity => ({
  verb,
  selection,
  pending: ({ service }) => ALIVE.has(service.state),
});

/** True if the service is up or will be. */
export const isAlive = (state: StateWord): boolean => ALIVE.has(state) || state === 'scheduled';

/** True if none of these will change by itself: no service is alive, and none waits to start again. */
export const isOver = (states: readonly StateWord[]): boolean =>
  !states.some((state) => state === 'scheduled' || state === 'starting' || state === 'running') &&
  !states.some((state) => state === 'stopping' || state === 'backoff');

const FAILING: ReadonlySet<StateWord> = new Set(['backoff', 'failed', 'breaker-open', 'casualty', 'lost']);

type Shown = Pick<ServiceDocument, 'state' | 'health' | 'error' | 'last_exit' | 'deploy'>;

/** True if the policy only pauses between clean runs, which is no trouble. */
const pauses = ({ state, last_exit: exit }: Shown): boolean => state === 'backoff' && exit?.code === 0;

/** True if something is wrong with the service. */
export const isInTrouble = (service: Shown): boolean =>
  (isFailing(service.state) && !pauses(service)) ||
  service.health === 'unhealthy' ||
  service.error !== null ||
  service.deploy.failed;

/** True if the state means trouble. */
export const isFailing = (state: StateWord): boolean => FAILING.has(state);
