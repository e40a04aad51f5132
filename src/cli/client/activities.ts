// What the progress display of each command says: a verb, the selected services, and which of them are still
// awaited.
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

export const scaling = (selection: Selection): Activity => ({ ...starting(selection), verb: 'scaling' });

/** Returns the activity of `sup plan`, which waits for no service. */
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

/** True if a service in this state is up or will start by itself. */
export const isAlive = (state: StateWord): boolean => ALIVE.has(state) || state === 'scheduled';

/** True if no service runs or waits for its next start: nothing changes any more without a command. */
export const isOver = (states: readonly StateWord[]): boolean =>
  !states.some((state) => state === 'scheduled' || state === 'starting' || state === 'running') &&
  !states.some((state) => state === 'stopping' || state === 'backoff');

const FAILING: ReadonlySet<StateWord> = new Set(['backoff', 'failed', 'breaker-open', 'casualty', 'lost']);

type Shown = Pick<ServiceDocument, 'state' | 'health' | 'error' | 'last_exit' | 'deploy'>;

/** True if the service waits between two successful runs, as its restart policy says. That is no trouble. */
const pauses = ({ state, last_exit: exit }: Shown): boolean => state === 'backoff' && exit?.success === true;

/** True if the service needs attention: it fails, is unhealthy, has an error or its rollout failed. */
export const isInTrouble = (service: Shown): boolean =>
  (isFailing(service.state) && !pauses(service)) ||
  service.health === 'unhealthy' ||
  service.error !== null ||
  service.deploy.failed;

/** True for the states of a service that fails or that cannot run because a dependency failed. */
export const isFailing = (state: StateWord): boolean => FAILING.has(state);
