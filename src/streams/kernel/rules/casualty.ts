// A casualty is a service that is down because a dependency failed. A failure stops all services that require
// the failed service. Each of them recovers when all its failed dependencies are ready again.
// Rules: `docs/behaviour.md`, "Casualties", "There are no casualties", "It starts again", "It stays down",
// "The root is named", "A dependency no longer counts", "It is skipped", "While it is preparing", "A run
// depends on what was declared when it began"; `docs/behaviour.md`, "Casualties".
import { groupOf, type ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import { dependentsOf, dependsOn, isRequired, nodeOf, reach } from '../../graph/graph.ts';
import { hasFailed, isAlive, isSkipped, isUnderWay, satisfies } from '../../graph/dependency-state.ts';
import { find, serviceIs, type Draft, type Visit } from '../draft.ts';
import { needsOf } from './dependencies-ready.ts';
import { advance } from '../rollouts/advance-rollout.ts';
import { send } from '../send.ts';

/**
 * True if the service requires `other`: by the declaration of its live run, else by its newest declaration.
 */
const needsAsItIs = (draft: Draft, service: Service, other: ServiceId): boolean => {
  const isLive = isAlive(service) || isUnderWay(service);
  const { needs } = nodeOf(draft.state.graph, service.spec.id);
  const declared = groupOf(other);
  const edges = (isLive ? service.spec.dependsOn : needs).filter(
    (need) => need.service === other || need.service === declared,
  );
  return edges.length === 0 ? !isLive : edges.some(isRequired);
};

/**
 * Returns the services that require this service, directly or through others, by the declarations that their
 * runs use.
 */
const dependentsOfFailed = (draft: Draft, id: ServiceId): readonly ServiceId[] =>
  reach([id], (each) =>
    nodeOf(draft.state.graph, each).usedBy.filter((dependent) =>
      serviceIs(draft, dependent, (service) => needsAsItIs(draft, service, each)),
    ),
  );

/**
 * If the service failed, stops all services that require it. Withdraws the candidates that require one of the
 * failed or stopped services.
 */
export const cascade = (draft: Draft, { before, after }: Visit): void => {
  if (!hasFailed(after) || hasFailed(before)) return;
  const { id } = after.spec;
  const affected = dependentsOfFailed(draft, id);
  const { graph } = draft.state;
  affected.forEach((dependent) => send(draft, dependent, { type: 'fell', of: [id] }));
  new Set([id, ...affected].flatMap((each) => nodeOf(graph, each).requiredBy)).forEach((dependent) =>
    advance(draft, dependent, { type: 'abort' }),
  );
};

/** True if the failed dependency still keeps the service down: it exists, is needed and is not ready. */
const holdsDown = (draft: Draft, need: ServiceId, id: ServiceId): boolean =>
  serviceIs(draft, need, (found) => !satisfies(found, 'started')) && dependsOn(draft.state.graph, id, need);

/** Stops a service if a dependency failed while its process was being spawned and is not ready again. */
export const cascadeAfterSpawn = (draft: Draft, { before, after }: Visit): void => {
  if (after.actual.tag !== 'starting' || before.actual.tag !== 'spawning') return;
  const { id } = after.spec;
  const failed = (before.actual.felled ?? []).filter((need) => holdsDown(draft, need, id));
  if (failed.length > 0) send(draft, id, { type: 'fell', of: failed });
};

/**
 * Lets a casualty wait to start if none of its failed dependencies keeps it down. A dependency that is
 * skipped now no longer keeps it down.
 */
const recoverService = (draft: Draft, id: ServiceId): void => {
  const service = find(draft, id);
  if (service?.actual.tag !== 'casualty') return;
  const isHeld = service.actual.of.some(
    (need) => holdsDown(draft, need, id) && !serviceIs(draft, need, isSkipped),
  );
  if (!isHeld || needsOf(draft, id).tag === 'skipped') send(draft, id, { type: 'raise' });
};

/** Lets the service wait to start if it is a casualty and no failed dependency keeps it down any more. */
export const recover = (draft: Draft, { after }: Visit): void => recoverService(draft, after.spec.id);

/**
 * Lets each of these services wait to start if it is a casualty and no failed dependency keeps it down any
 * more.
 */
export const recoverServices = (draft: Draft, ids: readonly ServiceId[]): void =>
  ids.forEach((id) => recoverService(draft, id));

/**
 * If the service became ready or was skipped, lets its dependents recover that are casualties because of it.
 */
export const recoverDependents = (draft: Draft, { before, after }: Visit): void => {
  const comesBack = satisfies(after, 'started') && !satisfies(before, 'started');
  if (comesBack || (isSkipped(after) && !isSkipped(before)))
    recoverServices(draft, dependentsOf(draft.state.graph, after.spec.id));
};
