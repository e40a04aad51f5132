// Admission: a waiting service begins when its dependencies are there and the gate lets it in.
import type { ServiceId } from '../../domain/ids.ts';
import type { Dependency } from '../../domain/declared/spec.ts';
import type { Rollout, Service, Tag } from '../../domain/service/service.ts';
import { entered, hasRoom, isCapped, left, queued, withdrawn, type Gate } from '../../gate/gate.ts';
import { isFollowed } from '../../children/following.ts';
import { isCalledOff, isReverting, stepOf } from '../../rollout/input.ts';
import { slotted } from '../../rollout/slots.ts';
import { nodeOf } from '../../graph/graph.ts';
import { isSkipped, isUnderWay, satisfies, skippedWith } from '../../graph/standing.ts';
import { isBegunAnew } from '../../service/finish.ts';
import { find, put, type Draft, type Visit } from '../draft.ts';
import { needsOf } from '../needs.ts';
import { admitSecond } from '../rollouts/admit.ts';
import { send } from '../send.ts';

const setGate = (draft: Draft, gate: Gate): void => {
  draft.state = { ...draft.state, gate };
};

/** Dependencies are there: in, or into the queue when the gate is full. Only bulk starts pass the gate. */
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

/** It waits for its turn as long as a candidate that was given up is being brought to its end, an earlier run is, or a child. */
const isHeldBack = ({ rollout, ...service }: Service): boolean =>
  service.remnants !== undefined || isFollowed(service) || (rollout !== undefined && isGivenUp(rollout));

/** What was called off is taken up by the next run, so that its way back has to be over; what failed is not. */
const isGivenUp = (rollout: Rollout): boolean =>
  stepOf(rollout) === 'withdrawing' || (isReverting(rollout) && isCalledOff(rollout.undoing));

/** What it needs is not there any more: it has no turn until that is. */
const stepBack = (draft: Draft, { spec: { id }, actual }: Service): void => {
  if (actual.tag !== 'waiting' || actual.for === 'dependencies') return;
  setGate(draft, withdrawn(draft.state.gate, id));
  send(draft, id, { type: 'hold', for: 'dependencies' });
};

const admitOne = (draft: Draft, id: ServiceId): void => {
  const service = find(draft, id);
  // Nobody begins any more once the supervisor is about to end, or where there is none.
  if (service?.actual.tag !== 'waiting' || draft.state.phase !== 'running' || isHeldBack(service)) return;
  const needs = needsOf(draft, id);
  if (needs.tag === 'skipped') return send(draft, id, { type: 'pass-over', dependency: needs.by });
  if (needs.tag === 'missing') return stepBack(draft, service);
  const own = slotted(service);
  if (own !== service) put(draft, own);
  letIn(draft, own);
};

/** A waiting service: are its dependencies there? */
export const admit = (draft: Draft, { after }: Visit): void => admitOne(draft, after.spec.id);

/** Whether it is there for its dependents is not as it was. */
const comesOrGoes = ({ before, after }: Visit, condition: Dependency['condition']): boolean =>
  satisfies(after, condition) !== satisfies(before, condition);

/** It is there for its dependents, or skipped, or there no longer: those that wait are admitted, passed over, or step back. */
export const admitDependents = (draft: Draft, visit: Visit): void => {
  const { after } = visit;
  const { neededBy } = nodeOf(draft.state.graph, after.spec.id);
  if (!comesOrGoes(visit, 'started') && !comesOrGoes(visit, 'completed') && !isSkipped(after)) return;
  for (const dependent of neededBy) {
    admitOne(draft, dependent);
    admitSecond(draft, dependent);
  }
};

/** Who was skipped with a dependency that is not skipped any more, or not needed, waits from now on. */
const takeUpOne = (draft: Draft, id: ServiceId): void => {
  const service = find(draft, id);
  const by = service && skippedWith(service);
  if (by === undefined || service?.wanted !== 'up') return;
  const needs = needsOf(draft, id);
  if (needs.tag !== 'skipped' || needs.by !== by) send(draft, id, { type: 'raise' });
};

/** It was skipped with a dependency: is it still? */
export const takeUp = (draft: Draft, { after }: Visit): void => takeUpOne(draft, after.spec.id);

/** It is not skipped any more: whoever was skipped with it waits for it from now on. */
export const takeUpDependents = (draft: Draft, { before, after }: Visit): void => {
  if (!isSkipped(before) || isSkipped(after)) return;
  nodeOf(draft.state.graph, after.spec.id).neededBy.forEach((id) => takeUpOne(draft, id));
};

/** A place in the gate became free: the next in the queue whose dependencies are still there takes it. */
const admitNext = (draft: Draft): void => {
  const { queue } = draft.state.gate;
  for (const id of queue) {
    if (!hasRoom(draft.state.gate, draft.state.settings.maxConcurrent)) return;
    setGate(draft, withdrawn(draft.state.gate, id));
    admitOne(draft, id);
  }
};

/** It begins anew: its place is anybody's again, its own too. */
const giveBack = (draft: Draft, id: ServiceId): void => {
  if (!draft.state.gate.inside.includes(id)) return;
  setGate(draft, left(draft.state.gate, id));
  admitNext(draft);
};

/** Waiting already, or as soon as its end is over. */
const beginsAnew = ({ actual, wanted }: Service): boolean =>
  actual.tag === 'waiting' || (actual.tag === 'stopping' && isBegunAnew(actual) && wanted === 'up');

/** What a service comes from that has not passed the gate: its run died with the last supervisor, or it fell in the queue. */
const BEFORE_THE_GATE: ReadonlySet<Tag> = new Set(['up', 'stopping', 'backing-off', 'casualty']);

/** It is to be started with others, and its turn is still to come. */
const isStillToCome = ({ state: { gate, settings } }: Draft, { actual, spec, wanted }: Service): boolean =>
  isCapped(settings.maxConcurrent) &&
  wanted === 'up' &&
  BEFORE_THE_GATE.has(actual.tag) &&
  !gate.inside.includes(spec.id);

/** A service that has arrived, failed or was withdrawn does not count against the gate any more. */
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
