// The order of a stop: a service that must stop waits until every dependent that must also stop has stopped.
// Finished services and those that stay up are looked through. A service that runs with an older declaration
// also counts as a dependent of what that names.
// Rules: `docs/behaviour.md`, "Stopping", "Order".
import type { ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import { awaitsTraffic } from '../../rollout/inputs-from-runs.ts';
import { madeOf } from '../../rollout/two-runs.ts';
import { nodeOf, reach } from '../../graph/graph.ts';
import { blocksStop } from '../../graph/dependency-state.ts';
import { find, type Draft, type Visit } from '../draft.ts';
import { send } from '../send.ts';

const isHolding = (draft: Draft, id: ServiceId): boolean => {
  const service = find(draft, id);
  return service !== undefined && blocksStop(service);
};

/** The dependencies declared by its current runs. */
const neededByRunsOf = (service: Service): readonly ServiceId[] =>
  madeOf(service).flatMap(({ dependsOn }) => dependsOn.map(({ service: needed }) => needed));

/** Services that need this one by an older declaration that still runs, not by the newest. */
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

/**
 * Declarations of different times may contradict each other: an older dependency that would close a circle
 * blocks nothing.
 */
const isHeldByOlder = (draft: Draft, id: ServiceId): boolean => {
  const users = (each: ServiceId): readonly ServiceId[] => [
    ...nodeOf(draft.state.graph, each).neededBy,
    ...olderDependentsOf(draft, each),
  ];
  return olderDependentsOf(draft, id).some(
    (other) => isHolding(draft, other) && !reach([other], users).includes(id),
  );
};

/** Direct dependents are checked first: if a whole stack must stop, they answer for those above them. */
const isHeld = (draft: Draft, id: ServiceId): boolean => {
  const dependentsOf = (each: ServiceId): readonly ServiceId[] => nodeOf(draft.state.graph, each).neededBy;
  const holds = (dependent: ServiceId): boolean => isHolding(draft, dependent);
  return dependentsOf(id).some(holds) || reach([id], dependentsOf).some(holds) || isHeldByOlder(draft, id);
};

/** True if it runs, must stop and does not wait for its traffic. */
const isDue = (service: Service): boolean => {
  const { wanted, actual } = service;
  return wanted === 'down' && (actual.tag === 'starting' || actual.tag === 'up') && !awaitsTraffic(service);
};

const releaseOne = (draft: Draft, id: ServiceId): void => {
  const service = find(draft, id);
  if (service === undefined || !isDue(service)) return;
  if (!isHeld(draft, id)) send(draft, id, { type: 'release' });
};

/** Stops it now, unless a dependent blocks that. */
export const release = (draft: Draft, { after }: Visit): void => releaseOne(draft, after.spec.id);

/**
 * Once the service no longer blocks its dependencies, they may stop. A dependency that still blocks its own
 * releases them later.
 */
export const releaseNeeds = (draft: Draft, { before, after }: Visit): void => {
  if (blocksStop(after) || (!blocksStop(before) && before !== after)) return;
  const { graph } = draft.state;
  const needsOf = (id: ServiceId): readonly ServiceId[] =>
    isHolding(draft, id) ? [] : nodeOf(graph, id).needs.map(({ service }) => service);
  const older = neededByRunsOf(before);
  const all = (id: ServiceId): readonly ServiceId[] =>
    id === after.spec.id ? [...needsOf(id), ...older] : needsOf(id);
  reach([after.spec.id], all).forEach((id) => releaseOne(draft, id));
};
