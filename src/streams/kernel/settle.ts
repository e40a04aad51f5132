// What a move means for the neighbours: fell, raised, admitted, released, over a work list until nothing changes.
// It walks edges, never the roster, so that a step costs what it touches.
import type { ServiceId } from '../domain/ids.ts';
import type { Service } from '../domain/service.ts';
import { entered, hasRoom, left, queued, withdrawn } from '../gate/gate.ts';
import { buildGraph, dependentsOf, nodeOf } from '../graph/graph.ts';
import { hasFailed, holdsUp, isSkipped, isUnderWay, satisfies } from '../graph/standing.ts';
import { find, put, type Change, type Draft } from './draft.ts';
import { send } from './send.ts';
import { judge, judgeRemoved } from './requests/hear.ts';
import { servicesOf, withoutService } from './roster.ts';

const setGate = (draft: Draft, service: Service, gate: Service['gate']): void =>
  put(draft, { ...service, gate });

/** Dependencies are there: in, or into the queue when the gate is full. Only bulk starts pass the gate. */
const admit = (draft: Draft, service: Service): void => {
  const { id } = service.spec;
  if (service.gate === 'none') return send(draft, id, { type: 'admit' });
  if (!hasRoom(draft.state.gate, draft.state.settings.maxConcurrent)) {
    draft.state = { ...draft.state, gate: queued(draft.state.gate, id) };
    return send(draft, id, { type: 'hold' });
  }
  draft.state = { ...draft.state, gate: entered(draft.state.gate, id) };
  setGate(draft, service, 'in-flight');
  send(draft, id, { type: 'admit' });
};

/** A waiting service: are its dependencies there? */
const consider = (draft: Draft, id: ServiceId): void => {
  const service = find(draft, id);
  if (service?.actual.tag !== 'waiting') return;
  const needs = nodeOf(draft.state.graph, id).needs.map((need) => ({
    ...need,
    found: find(draft, need.service),
  }));
  const skipped = needs.find(({ found }) => found !== undefined && isSkipped(found));
  if (skipped) return send(draft, id, { type: 'pass-over', dependency: skipped.service });
  const there = needs.every(({ found, condition }) => found !== undefined && satisfies(found, condition));
  if (there) admit(draft, service);
};

/** A place in the gate became free: the next in the queue whose dependencies are still there takes it. */
const letIn = (draft: Draft): void => {
  const { queue } = draft.state.gate;
  for (const id of queue) {
    if (!hasRoom(draft.state.gate, draft.state.settings.maxConcurrent)) return;
    draft.state = { ...draft.state, gate: withdrawn(draft.state.gate, id) };
    consider(draft, id);
  }
};

/** It begins anew: its place is anybody's again, its own too. */
const giveBack = (draft: Draft, service: Service): void => {
  if (service.gate === 'queued') return;
  draft.state = { ...draft.state, gate: left(draft.state.gate) };
  setGate(draft, service, 'queued');
  letIn(draft);
};

/** A service that has arrived, failed or was withdrawn does not count against the gate any more. */
const leaveGate = (draft: Draft, id: ServiceId): void => {
  const service = find(draft, id);
  if (service === undefined || service.gate === 'none' || isUnderWay(service)) return;
  if (service.actual.tag === 'waiting') return giveBack(draft, service);
  const gate = service.gate === 'in-flight' ? left(draft.state.gate) : withdrawn(draft.state.gate, id);
  draft.state = { ...draft.state, gate };
  setGate(draft, service, 'none');
  letIn(draft);
};

/** A casualty rises when everybody who felled it is there again. Somebody who left cannot hold it down. */
const raise = (draft: Draft, id: ServiceId): void => {
  const service = find(draft, id);
  if (service?.actual.tag !== 'casualty') return;
  const healthy = service.actual.of.every((culprit) => {
    const found = find(draft, culprit);
    return found === undefined || satisfies(found, 'started');
  });
  if (healthy) send(draft, id, { type: 'raise' });
};

const reachDependents = (draft: Draft, { before, after }: Change): void => {
  const { id } = after.spec;
  const { neededBy } = nodeOf(draft.state.graph, id);
  const there = satisfies(after, 'started') && !satisfies(before, 'started');
  const completed = satisfies(after, 'completed') && !satisfies(before, 'completed');
  if (there || completed || isSkipped(after)) neededBy.forEach((dependent) => consider(draft, dependent));
  if (there) dependentsOf(draft.state.graph, id).forEach((dependent) => raise(draft, dependent));
};

/** A failure fells all dependents, direct and transitive, at once. */
const fell = (draft: Draft, { before, after }: Change): void => {
  if (!hasFailed(after) || hasFailed(before)) return;
  const { id } = after.spec;
  for (const dependent of dependentsOf(draft.state.graph, id))
    send(draft, dependent, { type: 'fell', of: [id] });
};

/** It began while a dependency failed. */
const fellLate = (draft: Draft, { before, after }: Change): void => {
  if (after.actual.tag !== 'starting' || before.actual.tag === 'starting') return;
  const culprits = nodeOf(draft.state.graph, after.spec.id)
    .needs.map(({ service }) => service)
    .filter((id) => {
      const found = find(draft, id);
      return found !== undefined && hasFailed(found);
    });
  if (culprits.length > 0) send(draft, after.spec.id, { type: 'fell', of: culprits });
};

/** A service that is not wanted ends once no dependent that is not wanted either is alive. */
const release = (draft: Draft, id: ServiceId): void => {
  const service = find(draft, id);
  if (service?.wanted !== 'down') return;
  if (service.actual.tag !== 'starting' && service.actual.tag !== 'up') return;
  const held = nodeOf(draft.state.graph, id).neededBy.some((dependent) => {
    const found = find(draft, dependent);
    return found !== undefined && holdsUp(found);
  });
  if (!held) send(draft, id, { type: 'release' });
};

const releaseNeeds = (draft: Draft, { before, after }: Change): void => {
  if (holdsUp(after) || (!holdsUp(before) && before !== after)) return;
  nodeOf(draft.state.graph, after.spec.id).needs.forEach(({ service }) => release(draft, service));
};

const remove = (draft: Draft, id: ServiceId): boolean => {
  const service = find(draft, id);
  if (!service?.leaving || service.actual.tag !== 'down') return false;
  const roster = withoutService(draft.state.roster, id);
  const graph = buildGraph(servicesOf(roster).map(({ spec, revised }) => revised ?? spec));
  draft.state = { ...draft.state, roster, graph };
  draft.services.add(id);
  judgeRemoved(draft, service);
  dependentsOf(graph, id).forEach((dependent) => raise(draft, dependent));
  return true;
};

const settleOne = (draft: Draft, change: Change): void => {
  const { id } = change.after.spec;
  leaveGate(draft, id);
  raise(draft, id);
  consider(draft, id);
  reachDependents(draft, change);
  fell(draft, change);
  fellLate(draft, change);
  release(draft, id);
  releaseNeeds(draft, change);
  if (!remove(draft, id)) judge(draft, change);
};

/** Works until nothing changes any more. */
export const settle = (draft: Draft): void => {
  for (let change = draft.work.shift(); change !== undefined; change = draft.work.shift())
    settleOne(draft, change);
};
