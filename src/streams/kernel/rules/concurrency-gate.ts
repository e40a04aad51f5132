// The gate limits starts: of the services that are started together, at most `start/max_concurrent` have
// begun to start and are not ready. All others queue when their dependencies are ready.
// Rules: `docs/behaviour.md`, "Starting", "The gate".
import type { ServiceId } from '../../domain/ids.ts';
import type { Service, Tag } from '../../domain/service/service.ts';
import { entered, hasRoom, isCapped, left, queued, withdrawn, type Gate } from '../../gate/start-places.ts';
import { isUnderWay } from '../../graph/dependency-state.ts';
import { isStartedAgain } from '../../service/run-ended.ts';
import type { InputOf } from '../../service/service-input.ts';
import { changeState, find, put, type Draft, type Visit } from '../draft.ts';
import { send } from '../send.ts';

const setGate = (draft: Draft, gate: Gate): void => changeState(draft, { gate });

export type AdmitInput = InputOf<'admit'>;

/** Starts a service or queues it. Only services that are started together pass the gate. */
export const letIn = (draft: Draft, { spec: { id }, gate: passes }: Service, admit: AdmitInput): void => {
  const { gate, settings } = draft.state;
  if (passes === 'none' || !isCapped(settings.maxConcurrent)) return send(draft, id, admit);
  if (!hasRoom(gate, settings.maxConcurrent)) {
    setGate(draft, queued(gate, id));
    return send(draft, id, { type: 'hold', for: 'gate' });
  }
  setGate(draft, entered(gate, id));
  send(draft, id, admit);
};

/** Moves a queued service back to waiting, because a dependency is no longer ready. */
export const stepBack = (draft: Draft, { spec: { id }, actual }: Service): void => {
  if (actual.tag !== 'waiting' || actual.for === 'dependencies') return;
  setGate(draft, withdrawn(draft.state.gate, id));
  send(draft, id, { type: 'hold', for: 'dependencies' });
};

/** True if the service waits to start, or will wait after its present stop. */
const beginsAnew = ({ actual, wanted }: Service): boolean =>
  actual.tag === 'waiting' || (actual.tag === 'stopping' && isStartedAgain(actual) && wanted === 'up');

/**
 * States in which a service may still have to pass the gate, because its run was lost while no supervisor
 * ran.
 */
const BEFORE_THE_GATE: ReadonlySet<Tag> = new Set(['up', 'stopping', 'backing-off', 'casualty']);

/** True if the service has not passed the gate yet: it should be up and has no place. */
const isStillToCome = ({ state: { gate, settings } }: Draft, { actual, spec, wanted }: Service): boolean =>
  isCapped(settings.maxConcurrent) &&
  wanted === 'up' &&
  BEFORE_THE_GATE.has(actual.tag) &&
  !gate.inside.includes(spec.id);

/** Takes services out of the queue, in order, while there is a free place. `admit`: starts one service. */
export const letInNext = (draft: Draft, admit: (id: ServiceId) => void): void => {
  const { queue } = draft.state.gate;
  for (const id of queue) {
    if (!hasRoom(draft.state.gate, draft.state.settings.maxConcurrent)) return;
    setGate(draft, withdrawn(draft.state.gate, id));
    admit(id);
  }
};

/**
 * Frees the place of a service that is ready, failed, must stop or starts again. Returns true if it did so.
 */
export const freesPlace = (draft: Draft, { after: { spec } }: Visit): boolean => {
  const service = find(draft, spec.id);
  if (service === undefined || service.gate === 'none' || isUnderWay(service)) return false;
  if (isStillToCome(draft, service)) return false;
  const isAgain = beginsAnew(service);
  if (isAgain && !draft.state.gate.inside.includes(spec.id)) return false;
  setGate(draft, left(draft.state.gate, spec.id));
  if (!isAgain) put(draft, { ...service, gate: 'none' });
  return true;
};
