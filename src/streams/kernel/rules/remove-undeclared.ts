// Removes services that are no longer declared: each is stopped, and leaves the service table once it is
// down.
// Rules: `docs/behaviour.md`, "Restart by hand", "Services that are no longer declared".
import { groupOf } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import { dependentsOf } from '../../graph/graph.ts';
import { changeState, find, put, revisit, type Draft, type Visit } from '../draft.ts';
import { decideForRemoved } from '../requests/answer/awaited-services.ts';
import { orderOf, type Request } from '../requests/request.ts';
import { withdraw } from '../requests/restart-in-turn.ts';
import { graphWithout, rebuildGraph } from '../register-manifests.ts';
import { servicesOf, withoutServices, type ServiceTable } from '../service-table.ts';
import type { SupervisorState } from '../state.ts';
import { send } from '../send.ts';
import { recoverServices } from './casualty.ts';

/** True if the service should run, or should have run before its removal began. */
export const isMissed = ({ wanted, leaving, resume }: Service): boolean =>
  wanted === 'up' || (leaving && resume);

/**
 * Begins the removal of a service. If the service was meant to run, it starts again when it is declared
 * again. `request`: the request that removes the service, if there is one.
 */
export const beginRemoval = (draft: Draft, { spec: { id } }: Service, request?: Request): void => {
  withdraw(draft, [id]);
  const service = find(draft, id);
  if (service !== undefined) put(draft, { ...service, leaving: true, resume: isMissed(service) });
  // Dependents no longer wait for an instance that is being removed.
  if (groupOf(id) !== id) rebuildGraph(draft);
  send(draft, id, { type: 'stop', ...orderOf(request) });
  revisit(draft, id);
};

/** True for a leaving service that is down and has no other process. */
const isGone = ({ leaving, actual, rollout, children, remnants }: Service): boolean =>
  leaving &&
  actual.tag === 'down' &&
  rollout === undefined &&
  children === undefined &&
  remnants === undefined;

/**
 * Marks the service for removal if it is leaving and down. `removeMarked` removes all marked services
 * together.
 */
export const markForRemoval = (draft: Draft, { after: { spec } }: Visit): void => {
  const service = find(draft, spec.id);
  if (service !== undefined && isGone(service)) draft.gone.add(spec.id);
};

/** Returns the projects without those that have lost their last service. */
const projectsAfter = (
  { projects }: SupervisorState,
  serviceTable: ServiceTable,
  gone: readonly Service[],
): SupervisorState['projects'] => {
  const left = new Set(servicesOf(serviceTable).map(({ spec }) => spec.project));
  const ended = new Set(gone.map(({ spec }) => spec.project).filter((project) => !left.has(project)));
  if (ended.size === 0) return projects;
  return Object.fromEntries(
    Object.values(projects).flatMap((one) => (ended.has(one.id) ? [] : [[one.id, one]])),
  );
};

/**
 * Removes all marked services together. Reports each removal to the commands that wait for the service, and
 * lets its casualties recover. Returns false if no service is marked.
 */
export const removeMarked = (draft: Draft): boolean => {
  const gone = [...draft.gone].flatMap((id) => find(draft, id) ?? []).filter(isGone);
  draft.gone.clear();
  if (gone.length === 0) return false;
  const { serviceTable: known, graph: before } = draft.state;
  const serviceTable = withoutServices(known, new Set(gone.map(({ spec }) => spec.id)));
  const graph = graphWithout(before, gone, serviceTable);
  changeState(draft, { serviceTable, graph, projects: projectsAfter(draft.state, serviceTable, gone) });
  for (const service of gone) {
    draft.services.add(service.spec.id);
    draft.moves.push({ before: service });
    decideForRemoved(draft, service);
  }
  for (const { spec } of gone) {
    const held = dependentsOf(before, spec.id);
    recoverServices(draft, held);
    held.forEach((dependent) => revisit(draft, dependent));
  }
  return true;
};
