// What the progress display of each command says: a verb, the selected services, and which of them are still
// awaited.
import type { Selection } from '../../streams/domain/command.ts';
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
