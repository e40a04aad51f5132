// Removes services that are no longer declared: each is stopped, and leaves the service table once it is
// down. `start` removes only those that are down already, and warns about those that run.
// Rules: `docs/behaviour.md`, "Restart by hand", "Services that are no longer declared"; `docs/behaviour.md`,
// "Restart by hand".
import type { Manifest } from '../../domain/declared/manifest.ts';
import { groupOf, type ServiceId, shownId } from '../../domain/ids.ts';
import type { Service, Tag } from '../../domain/service/service.ts';
import { dependentsOf } from '../../graph/graph.ts';
import { changeState, find, put, revisit, type Draft, type Visit } from '../draft.ts';
import { decideForRemoved } from '../requests/answer/awaited-services.ts';
import { orderOf, type Request } from '../requests/request.ts';
import { withdraw } from '../requests/restart-in-turn.ts';
import { graphWithout, rebuildGraph, undeclared } from '../register-manifests.ts';
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

const RESTING: ReadonlySet<Tag> = new Set<Tag>(['down', 'broken']);

const rests = ({ actual }: Service): boolean => RESTING.has(actual.tag);

const warningOf = (why: string, services: readonly Service[]): readonly string[] => {
  const names = services.map(({ spec }) => shownId(spec.id)).join(', ');
  const them = services.length > 1 ? 'them' : 'it';
  return services.length === 0 ? [] : [`still running, ${why}: ${names}; \`sup apply\` stops ${them}`];
};

interface Undeclared {
  readonly ids: ReadonlySet<ServiceId>;
  /**
   * The warnings about services that still run although they are not declared any more, or their profiles are
   * not chosen.
   */
  readonly warnings: readonly string[];
}

/**
 * Removes undeclared services that are down. Returns the ids of all undeclared services, and warnings about
 * those that run.
 */
export const takeLeave = (draft: Draft, manifests: readonly Manifest[]): Undeclared => {
  const gone = undeclared(draft.state, manifests);
  gone.filter(rests).forEach((service) => beginRemoval(draft, service));
  const profiled = new Set(manifests.flatMap(({ profiles = [] }) => profiles.map(({ service }) => service)));
  const isUnchosen = ({ spec: { id } }: Service): boolean => profiled.has(groupOf(id));
  const running = gone.filter((service) => !rests(service));
  return {
    ids: new Set(gone.map(({ spec }) => spec.id)),
    warnings: [
      ...warningOf(
        'no longer declared',
        running.filter((service) => !isUnchosen(service)),
      ),
      ...warningOf('of a profile that is not chosen', running.filter(isUnchosen)),
    ],
  };
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
