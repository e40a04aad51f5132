// Admits runs: a waiting run starts when its dependencies are ready. The current run also needs a free place
// in the concurrency gate (the limit of simultaneous starts). A candidate needs none, because a command
// starts only one candidate at a time.
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
import { isStartedAgain } from '../../service/run-ended.ts';
import { changeState, find, put, type Draft, type Visit } from '../draft.ts';
import { needsOf } from './dependencies-ready.ts';
import { send, sendTo, type RunAddress } from '../send.ts';

const setGate = (draft: Draft, gate: Gate): void => changeState(draft, { gate });

/**
 * Starts a service if its dependencies are ready, or queues it if the limit of simultaneous starts is
 * reached. The limit counts only services that are started together.
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
 * True while the candidate is being withdrawn, or the traffic switch of a cancelled rollout is being
 * reverted. The next run may then use the candidate's declaration.
 */
const isGivenUp = (rollout: Rollout): boolean =>
  stepOf(rollout) === 'withdrawing' || (isReverting(rollout) && isCalledOff(rollout.undoing));

/**
 * True if the other run of the rollout must not start any more, because it must stop or the rollout is being
 * undone.
 */
const isWithdrawn = (rollout: Rollout): boolean => !isForwards(rollout) || rollout.other.wanted === 'down';

/**
 * True while a run must not start, because an earlier one is still being stopped. The current run also waits
 * for a withdrawn candidate, and for children that must end.
 */
const isHeldBack = (service: Service, which: WhichRun): boolean => {
  const { rollout, remnants } = service;
  if (remnants !== undefined) return true;
  if (which === 'other') return rollout !== undefined && isWithdrawn(rollout);
  return isFollowed(service) || (rollout !== undefined && isGivenUp(rollout));
};

/**
 * Removes a service from the queue for a free start place, and makes it wait for its dependencies, because
 * one is no longer ready.
 */
const stepBack = (draft: Draft, { spec: { id }, actual }: Service): void => {
  if (actual.tag !== 'waiting' || actual.for === 'dependencies') return;
  setGate(draft, withdrawn(draft.state.gate, id));
  send(draft, id, { type: 'hold', for: 'dependencies' });
};

/**
 * Starts a run if its dependencies are ready. A current run gets its blue/green slot here; a candidate
 * already has one.
 */
const begin = (draft: Draft, service: Service, address: RunAddress): void => {
  if (address.which === 'other') return sendTo(draft, address, { type: 'admit' });
  const own = slotted(service);
  if (own !== service) put(draft, own);
  letIn(draft, own);
};

/** Starts a waiting run if its dependencies are ready, skips it if one is skipped, or keeps it waiting. */
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

/** Starts this run if it waits and its dependencies are ready. */
export const admitRun = (draft: Draft, address: RunAddress): void => {
  // No run starts while the supervisor is ending, or in an offline stop.
  if (draft.state.phase !== 'running') return;
  const service = find(draft, address.service);
  if (service === undefined || runOf(service, address.which)?.actual.tag !== 'waiting') return;
  if (!isHeldBack(service, address.which)) decide(draft, service, address);
};

const admitCurrent = (draft: Draft, service: ServiceId): void =>
  admitRun(draft, { service, which: 'current' });

/** Starts the current run of a service if it waits and its dependencies are ready. */
export const admit = (draft: Draft, { after }: Visit): void => admitCurrent(draft, after.spec.id);

/** True if the state change alters whether dependents with this `condition` may start. */
const comesOrGoes = ({ before, after }: Visit, condition: Dependency['condition']): boolean =>
  satisfies(after, condition) !== satisfies(before, condition);

/**
 * If a service became ready, skipped or unready: starts or skips its waiting dependents, or makes them wait
 * again.
 */
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

/** Makes the service wait to start, if it was skipped because of a dependency that is no longer skipped. */
export const takeUp = (draft: Draft, { after }: Visit): void => takeUpOne(draft, after.spec.id);

/**
 * If the service is no longer skipped, makes its dependents wait to start that were skipped because of it.
 */
export const takeUpDependents = (draft: Draft, { before, after }: Visit): void => {
  if (!isSkipped(before) || isSkipped(after)) return;
  nodeOf(draft.state.graph, after.spec.id).neededBy.forEach((id) => takeUpOne(draft, id));
};

/**
 * Starts queued services with ready dependencies, while fewer than `start/max_concurrent` are starting.
 */
const admitNext = (draft: Draft): void => {
  const { queue } = draft.state.gate;
  for (const id of queue) {
    if (!hasRoom(draft.state.gate, draft.state.settings.maxConcurrent)) return;
    setGate(draft, withdrawn(draft.state.gate, id));
    admitCurrent(draft, id);
  }
};

/**
 * Frees the place of a service among the simultaneous starts because it begins again, so that another service
 * may take that place.
 */
const giveBack = (draft: Draft, id: ServiceId): void => {
  if (!draft.state.gate.inside.includes(id)) return;
  setGate(draft, left(draft.state.gate, id));
  admitNext(draft);
};

/** True if the service waits to start, or will do so once its present stop is complete. */
const beginsAnew = ({ actual, wanted }: Service): boolean =>
  actual.tag === 'waiting' || (actual.tag === 'stopping' && isStartedAgain(actual) && wanted === 'up');

/**
 * States in which a service may still have to wait for the limit of simultaneous starts: its run died with
 * the previous supervisor, or a dependency failed while it was queued.
 */
const BEFORE_THE_GATE: ReadonlySet<Tag> = new Set(['up', 'stopping', 'backing-off', 'casualty']);

/**
 * True if the service starts together with others and has not been counted among the simultaneous starts yet.
 */
const isStillToCome = ({ state: { gate, settings } }: Draft, { actual, spec, wanted }: Service): boolean =>
  isCapped(settings.maxConcurrent) &&
  wanted === 'up' &&
  BEFORE_THE_GATE.has(actual.tag) &&
  !gate.inside.includes(spec.id);

/**
 * Frees the place among the simultaneous starts of a service that is ready, has failed or must stop, and
 * starts queued services.
 */
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
