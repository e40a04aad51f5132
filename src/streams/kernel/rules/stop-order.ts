// The order of a stop: a service waits until every dependent that must also stop has stopped. A dependent
// that has finished or stays up does not block the stop, but a dependent of this dependent can block it.
// Dependencies in older declarations of live runs count, too.
// Rules: `docs/behaviour.md`, "Stopping", "Order".
import type { ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import { awaitsTraffic } from '../../rollout/inputs-from-runs.ts';
import { madeOf } from '../../rollout/two-runs.ts';
import { nodeOf, onInstances, reach } from '../../graph/graph.ts';
import { blocksStop } from '../../graph/dependency-state.ts';
import { find, serviceIs, type Draft, type Visit } from '../draft.ts';
import { send } from '../send.ts';

/** Returns the dependencies in the declarations that the service's runs use. */
const neededByRunsOf = (draft: Draft, service: Service): readonly ServiceId[] =>
  madeOf(service)
    .flatMap(({ dependsOn }) => dependsOn)
    .flatMap((need) => onInstances(need, (id) => find(draft, id)))
    .map(({ service: needed }) => needed);

/** Returns the services that need the service `id` only by the older declaration of a live run. */
const olderDependentsOf = (draft: Draft, id: ServiceId): readonly ServiceId[] => {
  const { neededBy, usedBy } = nodeOf(draft.state.graph, id);
  if (usedBy === neededBy) return [];
  const isUsing = (other: ServiceId): boolean =>
    serviceIs(draft, other, (found) => neededByRunsOf(draft, found).includes(id));
  const newest = new Set(neededBy);
  return usedBy.filter((other) => !newest.has(other) && isUsing(other));
};

/**
 * True if a dependent by an older declaration blocks the stop. Declarations of different times may form a
 * cycle; a dependent in such a cycle does not block.
 */
const isHeldByOlder = (draft: Draft, id: ServiceId): boolean => {
  const users = (each: ServiceId): readonly ServiceId[] => [
    ...nodeOf(draft.state.graph, each).neededBy,
    ...olderDependentsOf(draft, each),
  ];
  return olderDependentsOf(draft, id).some(
    (other) => serviceIs(draft, other, blocksStop) && !reach([other], users).includes(id),
  );
};

/**
 * True if a dependent blocks the stop. Checks the direct dependents first, because this is cheap and usually
 * enough.
 */
const isHeld = (draft: Draft, id: ServiceId): boolean => {
  const dependentsOf = (each: ServiceId): readonly ServiceId[] => nodeOf(draft.state.graph, each).neededBy;
  const holds = (dependent: ServiceId): boolean => serviceIs(draft, dependent, blocksStop);
  return dependentsOf(id).some(holds) || reach([id], dependentsOf).some(holds) || isHeldByOlder(draft, id);
};

/** True if the service runs and must stop now. False while traffic is being switched back to the service. */
const isDue = (service: Service): boolean => {
  const { wanted, actual } = service;
  return wanted === 'down' && (actual.tag === 'starting' || actual.tag === 'up') && !awaitsTraffic(service);
};

const releaseOne = (draft: Draft, id: ServiceId): void => {
  const service = find(draft, id);
  if (service === undefined || !isDue(service)) return;
  if (!isHeld(draft, id)) send(draft, id, { type: 'release' });
};

/** Stops the service if it must stop and no dependent blocks that. */
export const release = (draft: Draft, { after }: Visit): void => releaseOne(draft, after.spec.id);

/** Stops the dependencies of the service that must stop, if the service no longer blocks their stop. */
export const releaseDependencies = (draft: Draft, { before, after }: Visit): void => {
  if (blocksStop(after) || (!blocksStop(before) && before !== after)) return;
  const { graph } = draft.state;
  const needsOf = (id: ServiceId): readonly ServiceId[] =>
    serviceIs(draft, id, blocksStop) ? [] : nodeOf(graph, id).needs.map(({ service }) => service);
  const older = neededByRunsOf(draft, before);
  const all = (id: ServiceId): readonly ServiceId[] =>
    id === after.spec.id ? [...needsOf(id), ...older] : needsOf(id);
  reach([after.spec.id], all).forEach((id) => releaseOne(draft, id));
};
