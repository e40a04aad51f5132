// Admission: a waiting run starts when its dependencies are ready. The current run also needs the gate to let
// it in. A candidate does not pass the gate: it is a single one, requested by a command.
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
 * Dependencies are ready: admits the service, or queues it if the gate is full. Only bulk starts pass the
 * gate.
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
 * True while a candidate is withdrawn or a cancelled switch reverted: the next run may take up its
 * declaration.
 */
const isGivenUp = (rollout: Rollout): boolean =>
  stepOf(rollout) === 'withdrawing' || (isReverting(rollout) && isCalledOff(rollout.undoing));

/** True for a candidate that is withdrawn, not proven. */
const isWithdrawn = (rollout: Rollout): boolean => !isForwards(rollout) || rollout.other.wanted === 'down';

/**
 * True while an earlier run is still being ended. The current run also waits for an abandoned candidate and
 * for children that must end.
 */
const isHeldBack = (service: Service, which: WhichRun): boolean => {
  const { rollout, remnants } = service;
  if (remnants !== undefined) return true;
  if (which === 'other') return rollout !== undefined && isWithdrawn(rollout);
  return isFollowed(service) || (rollout !== undefined && isGivenUp(rollout));
};

/** A dependency is no longer ready: the service leaves the queue until it is. */
const stepBack = (draft: Draft, { spec: { id }, actual }: Service): void => {
  if (actual.tag !== 'waiting' || actual.for === 'dependencies') return;
  setGate(draft, withdrawn(draft.state.gate, id));
  send(draft, id, { type: 'hold', for: 'dependencies' });
};

/** The current run gets its slot here; a candidate has one from the beginning. */
const begin = (draft: Draft, service: Service, address: RunAddress): void => {
  if (address.which === 'other') return sendTo(draft, address, { type: 'admit' });
  const own = slotted(service);
  if (own !== service) put(draft, own);
  letIn(draft, own);
};

/** Starts, skips or sends back a run that is not held back, by its dependencies. */
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
  // No run starts once the supervisor is about to end, or if there is none.
  if (draft.state.phase !== 'running') return;
  const service = find(draft, address.service);
  if (service === undefined || runOf(service, address.which)?.actual.tag !== 'waiting') return;
  if (!isHeldBack(service, address.which)) decide(draft, service, address);
};

const admitCurrent = (draft: Draft, service: ServiceId): void =>
  admitRun(draft, { service, which: 'current' });

/** Admits a waiting service if its dependencies are ready. */
export const admit = (draft: Draft, { after }: Visit): void => admitCurrent(draft, after.spec.id);

/** True if the move changes whether dependents may start. */
const comesOrGoes = ({ before, after }: Visit, condition: Dependency['condition']): boolean =>
  satisfies(after, condition) !== satisfies(before, condition);

/** The service became ready, skipped or unready: waiting dependents are admitted, skipped or sent back. */
export const admitDependents = (draft: Draft, visit: Visit): void => {
  const { after } = visit;
  const { neededBy } = nodeOf(draft.state.graph, after.spec.id);
  if (!comesOrGoes(visit, 'started') && !comesOrGoes(visit, 'completed') && !isSkipped(after)) return;
  for (const dependent of neededBy) {
    admitCurrent(draft, dependent);
    admitRun(draft, { service: dependent, which: 'other' });
  }
};

/** A service skipped with a dependency waits again once that is no longer skipped or needed. */
const takeUpOne = (draft: Draft, id: ServiceId): void => {
  const service = find(draft, id);
  const by = service && skippedWith(service);
  if (by === undefined || service?.wanted !== 'up') return;
  const needs = needsOf(draft, id);
  if (needs.tag !== 'skipped' || needs.by !== by) send(draft, id, { type: 'raise' });
};

/** Checks if it is still skipped with its dependency. */
export const takeUp = (draft: Draft, { after }: Visit): void => takeUpOne(draft, after.spec.id);

/** The service is no longer skipped: dependents skipped with it wait for it from now on. */
export const takeUpDependents = (draft: Draft, { before, after }: Visit): void => {
  if (!isSkipped(before) || isSkipped(after)) return;
  nodeOf(draft.state.graph, after.spec.id).neededBy.forEach((id) => takeUpOne(draft, id));
};

/** A place in the gate became free: the next queued service with ready dependencies takes it. */
const admitNext = (draft: Draft): void => {
  const { queue } = draft.state.gate;
  for (const id of queue) {
    if (!hasRoom(draft.state.gate, draft.state.settings.maxConcurrent)) return;
    setGate(draft, withdrawn(draft.state.gate, id));
    admitCurrent(draft, id);
  }
};

/** The service starts again, so its place is free for any. */
const giveBack = (draft: Draft, id: ServiceId): void => {
  if (!draft.state.gate.inside.includes(id)) return;
  setGate(draft, left(draft.state.gate, id));
  admitNext(draft);
};

/** True if it waits already, or will once its stop is over. */
const beginsAnew = ({ actual, wanted }: Service): boolean =>
  actual.tag === 'waiting' || (actual.tag === 'stopping' && isBegunAnew(actual) && wanted === 'up');

/**
 * States before passing the gate: its run died with the last supervisor, or it became a casualty while
 * queued.
 */
const BEFORE_THE_GATE: ReadonlySet<Tag> = new Set(['up', 'stopping', 'backing-off', 'casualty']);

/** True if it must start with others and has not had its turn yet. */
const isStillToCome = ({ state: { gate, settings } }: Draft, { actual, spec, wanted }: Service): boolean =>
  isCapped(settings.maxConcurrent) &&
  wanted === 'up' &&
  BEFORE_THE_GATE.has(actual.tag) &&
  !gate.inside.includes(spec.id);

/** A service that is ready, failed or withdrawn no longer counts against the gate. */
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
