// Admission: a waiting run starts when its dependencies are ready. The current run must also be admitted by
// the concurrency gate. A candidate does not pass the gate, because a command starts only one at a time.
// Rules: `docs/behaviour.md`, "Starting", "Order", "The gate", "Skip".
import type { ServiceId } from '../../domain/ids.ts';
import type { Dependency } from '../../domain/declared/spec.ts';
import type { WhichRun } from '../../domain/service/service-run.ts';
import { runOf } from '../../domain/service/runs-of.ts';
import type { Rollout, Service, Tag } from '../../domain/service/service.ts';
import {
  entered,
  hasRoom,
  isCapped,
  left,
  queued,
  withdrawn,
  type Gate,
} from '../../gate/concurrency-gate.ts';
import { isFollowed } from '../../children/ending-children.ts';
import { isForwards } from '../../rollout/inputs-from-runs.ts';
import { isCalledOff, isReverting, stepOf } from '../../rollout/rollout-input.ts';
import { slotted } from '../../rollout/slot-pair.ts';
import { nodeOf } from '../../graph/graph.ts';
import { isSkipped, isUnderWay, satisfies, skippedWith } from '../../graph/dependency-state.ts';
import { isBegunAnew } from '../../service/run-ended.ts';
import { changeState, find, put, type Draft, type Visit } from '../draft.ts';
import { needsOf } from './dependencies-ready.ts';
import { send, sendTo, type RunAddress } from '../send.ts';

const setGate = (draft: Draft, gate: Gate): void => changeState(draft, { gate });

/**
 * Admits a service whose dependencies are ready, or queues it if the gate is full. Only services that are
 * started together pass the gate.
 */
const letIn = (draft: Draft, { spec: { id }, gate: passes }: Service): void => {
  const { gate, settings } = draft.state;
  if (passes === 'none' || !isCapped(settings.maxConcurrent)) return send(draft, id, { type: 'admit' });
  if (!hasRoom(gate, settings.maxConcurrent)) {
    setGate(draft, queued(gate, id));
    return send(draft, id, { type: 'hold', for: 'gate' });
  }
  setGate(draft, entered(gate, id));
  send(draft, id, { type: 'admit' });
};

/**
 * True while the candidate is being withdrawn, or the switch of a cancelled rollout is being reverted. The
 * next run may take up the candidate's declaration.
 */
const isGivenUp = (rollout: Rollout): boolean =>
  stepOf(rollout) === 'withdrawing' || (isReverting(rollout) && isCalledOff(rollout.undoing));

/**
 * True if the other run must not start any more: the rollout no longer moves forward, or that run must stop.
 */
const isWithdrawn = (rollout: Rollout): boolean => !isForwards(rollout) || rollout.other.wanted === 'down';

/**
 * True while an earlier run is still being stopped. The current run also waits for an abandoned candidate,
 * and for children that must end.
 */
const isHeldBack = (service: Service, which: WhichRun): boolean => {
  const { rollout, remnants } = service;
  if (remnants !== undefined) return true;
  if (which === 'other') return rollout !== undefined && isWithdrawn(rollout);
  return isFollowed(service) || (rollout !== undefined && isGivenUp(rollout));
};

/** Takes a service out of the gate's queue if one of its dependencies is no longer ready. */
const stepBack = (draft: Draft, { spec: { id }, actual }: Service): void => {
  if (actual.tag !== 'waiting' || actual.for === 'dependencies') return;
  setGate(draft, withdrawn(draft.state.gate, id));
  send(draft, id, { type: 'hold', for: 'dependencies' });
};

/**
 * Starts a run whose dependencies are ready. A current run gets its slot here; a candidate already has one.
 */
const begin = (draft: Draft, service: Service, address: RunAddress): void => {
  if (address.which === 'other') return sendTo(draft, address, { type: 'admit' });
  const own = slotted(service);
  if (own !== service) put(draft, own);
  letIn(draft, own);
};

/** Starts or skips a waiting run, or lets it wait for its dependencies. */
const decide = (draft: Draft, service: Service, address: RunAddress): void => {
  const needs = needsOf(draft, address.service);
  switch (needs.tag) {
    case 'skipped':
      return sendTo(draft, address, { type: 'pass-over', dependency: needs.by });
    case 'there':
      return begin(draft, service, address);
    case 'missing':
      if (address.which === 'current') stepBack(draft, service);
  }
};

/** Admits this run if it waits and its dependencies are ready. */
export const admitRun = (draft: Draft, address: RunAddress): void => {
  // No run starts while the supervisor is ending, or in an offline stop.
  if (draft.state.phase !== 'running') return;
  const service = find(draft, address.service);
  if (service === undefined || runOf(service, address.which)?.actual.tag !== 'waiting') return;
  if (!isHeldBack(service, address.which)) decide(draft, service, address);
};

const admitCurrent = (draft: Draft, service: ServiceId): void =>
  admitRun(draft, { service, which: 'current' });

/** Admits the service if it waits and its dependencies are ready. */
export const admit = (draft: Draft, { after }: Visit): void => admitCurrent(draft, after.spec.id);

/** True if the state change alters whether dependents may start. */
const comesOrGoes = ({ before, after }: Visit, condition: Dependency['condition']): boolean =>
  satisfies(after, condition) !== satisfies(before, condition);

/** Admits, skips or sends back waiting dependents of a service that became ready, skipped or unready. */
export const admitDependents = (draft: Draft, visit: Visit): void => {
  const { after } = visit;
  const { neededBy } = nodeOf(draft.state.graph, after.spec.id);
  if (!comesOrGoes(visit, 'started') && !comesOrGoes(visit, 'completed') && !isSkipped(after)) return;
  for (const dependent of neededBy) {
    admitCurrent(draft, dependent);
    admitRun(draft, { service: dependent, which: 'other' });
  }
};

/**
 * Makes a service wait again that was skipped because of a dependency, if this dependency is no longer
 * skipped or no longer needed.
 */
const takeUpOne = (draft: Draft, id: ServiceId): void => {
  const service = find(draft, id);
  const by = service && skippedWith(service);
  if (by === undefined || service?.wanted !== 'up') return;
  const needs = needsOf(draft, id);
  if (needs.tag !== 'skipped' || needs.by !== by) send(draft, id, { type: 'raise' });
};

/** Checks whether the service is still skipped because of a dependency. */
export const takeUp = (draft: Draft, { after }: Visit): void => takeUpOne(draft, after.spec.id);

/** If the service is no longer skipped, lets the dependents that were skipped because of it wait for it. */
export const takeUpDependents = (draft: Draft, { before, after }: Visit): void => {
  if (!isSkipped(before) || isSkipped(after)) return;
  nodeOf(draft.state.graph, after.spec.id).neededBy.forEach((id) => takeUpOne(draft, id));
};

/** Gives free places in the gate to queued services whose dependencies are ready. */
const admitNext = (draft: Draft): void => {
  const { queue } = draft.state.gate;
  for (const id of queue) {
    if (!hasRoom(draft.state.gate, draft.state.settings.maxConcurrent)) return;
    setGate(draft, withdrawn(draft.state.gate, id));
    admitCurrent(draft, id);
  }
};

/** Frees the gate place of a service that starts again, so that other services may take it. */
const giveBack = (draft: Draft, id: ServiceId): void => {
  if (!draft.state.gate.inside.includes(id)) return;
  setGate(draft, left(draft.state.gate, id));
  admitNext(draft);
};

/** True if the service waits to start again, or will do so once it has stopped. */
const beginsAnew = ({ actual, wanted }: Service): boolean =>
  actual.tag === 'waiting' || (actual.tag === 'stopping' && isBegunAnew(actual) && wanted === 'up');

/**
 * States in which a service may still have to pass the gate: its run died with the previous supervisor, or
 * it became a casualty while queued.
 */
const BEFORE_THE_GATE: ReadonlySet<Tag> = new Set(['up', 'stopping', 'backing-off', 'casualty']);

/** True if the service starts together with others and has not passed the gate yet. */
const isStillToCome = ({ state: { gate, settings } }: Draft, { actual, spec, wanted }: Service): boolean =>
  isCapped(settings.maxConcurrent) &&
  wanted === 'up' &&
  BEFORE_THE_GATE.has(actual.tag) &&
  !gate.inside.includes(spec.id);

/** Frees the gate place of a service that is ready, has failed or must stop. */
export const leaveGate = (draft: Draft, { after }: Visit): void => {
  const { id } = after.spec;
  const service = find(draft, id);
  if (service === undefined || service.gate === 'none' || isUnderWay(service)) return;
  if (isStillToCome(draft, service)) return;
  if (beginsAnew(service)) return giveBack(draft, id);
  setGate(draft, left(draft.state.gate, id));
  put(draft, { ...service, gate: 'none' });
  admitNext(draft);
};
