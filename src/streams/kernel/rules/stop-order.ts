// The order of a stop: a service that is not wanted ends once no dependent that is not wanted either is alive, direct or
// across others: a one-shot that is done, or a service that is kept, lets the order through. Who runs by an older declaration,
// by either of its runs, is a dependent of what that names, too.
import type { ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import { awaitsTraffic } from '../../rollout/impulse.ts';
import { madeOf } from '../../rollout/runs.ts';
import { nodeOf, reach } from '../../graph/graph.ts';
import { holdsUp } from '../../graph/standing.ts';
import { find, type Draft, type Visit } from '../draft.ts';
import { send } from '../send.ts';

const isHolding = (draft: Draft, id: ServiceId): boolean => {
  const service = find(draft, id);
  return service !== undefined && holdsUp(service);
};

/** Whom its runs were declared to need. */
const neededByRunsOf = (service: Service): readonly ServiceId[] =>
  madeOf(service).flatMap(({ dependsOn }) => dependsOn.map(({ service: needed }) => needed));

/** Who runs as an older declaration has it that names this one; the newest does not. */
const olderDependentsOf = (draft: Draft, id: ServiceId): readonly ServiceId[] => {
  const { neededBy, usedBy } = nodeOf(draft.state.graph, id);
  if (usedBy === neededBy) return [];
  const isUsing = (other: ServiceId): boolean => {
    const found = find(draft, other);
    return found !== undefined && neededByRunsOf(found).includes(id);
  };
  const newest = new Set(neededBy);
  return usedBy.filter((other) => !newest.has(other) && isUsing(other));
};

/** Declarations of different times may contradict each other: an older need that would close a circle holds up nobody. */
const isHeldByOlder = (draft: Draft, id: ServiceId): boolean => {
  const users = (each: ServiceId): readonly ServiceId[] => [
    ...nodeOf(draft.state.graph, each).neededBy,
    ...olderDependentsOf(draft, each),
  ];
  return olderDependentsOf(draft, id).some(
    (other) => isHolding(draft, other) && !reach([other], users).includes(id),
  );
};

/** The nearest are asked first: in a stack that is all to stop, they answer for those behind them. */
const isHeld = (draft: Draft, id: ServiceId): boolean => {
  const dependentsOf = (each: ServiceId): readonly ServiceId[] => nodeOf(draft.state.graph, each).neededBy;
  const holds = (dependent: ServiceId): boolean => isHolding(draft, dependent);
  return dependentsOf(id).some(holds) || reach([id], dependentsOf).some(holds) || isHeldByOlder(draft, id);
};

/** It is to stop, runs, and does not go on until its traffic is back. */
const isDue = (service: Service): boolean => {
  const { wanted, actual } = service;
  return wanted === 'down' && (actual.tag === 'starting' || actual.tag === 'up') && !awaitsTraffic(service);
};

const releaseOne = (draft: Draft, id: ServiceId): void => {
  const service = find(draft, id);
  if (service === undefined || !isDue(service)) return;
  if (!isHeld(draft, id)) send(draft, id, { type: 'release' });
};

/** It is to stop: now, unless a dependent holds it up. */
export const release = (draft: Draft, { after }: Visit): void => releaseOne(draft, after.spec.id);

/** It holds up nobody any more: what it depends on may stop. Whoever still holds on tells those below in its own time. */
export const releaseNeeds = (draft: Draft, { before, after }: Visit): void => {
  if (holdsUp(after) || (!holdsUp(before) && before !== after)) return;
  const { graph } = draft.state;
  const needsOf = (id: ServiceId): readonly ServiceId[] =>
    isHolding(draft, id) ? [] : nodeOf(graph, id).needs.map(({ service }) => service);
  const older = neededByRunsOf(before);
  const all = (id: ServiceId): readonly ServiceId[] =>
    id === after.spec.id ? [...needsOf(id), ...older] : needsOf(id);
  reach([after.spec.id], all).forEach((id) => releaseOne(draft, id));
};
