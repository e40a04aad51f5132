// Removes services that are no longer declared: each is stopped, and removed from the service table once it
// is down.
// Rules: `docs/behaviour.md`, "Restart by hand", "Services that are no longer declared".
import type { Service } from '../../domain/service/service.ts';
import { dependentsOf } from '../../graph/graph.ts';
import { changeState, find, put, revisit, type Draft, type Visit } from '../draft.ts';
import { hearOfLeaving } from '../requests/awaited-services.ts';
import { withdraw } from '../requests/request-targets.ts';
import { graphOf } from '../register-manifests.ts';
import { servicesOf, withoutService, type Roster } from '../service-table.ts';
import type { SupervisorState } from '../state.ts';
import { send } from '../send.ts';
import { recoverServices } from './casualty.ts';

/** True if the service should run, or should have run if its removal had not begun. */
export const isMissed = ({ wanted, leaving, resume }: Service): boolean =>
  wanted === 'up' || (leaving && resume);

/**
 * Begins the removal of a service. Records if it was meant to run: if it is declared again before the removal
 * is complete, it starts again.
 */
export const leave = (draft: Draft, { spec: { id } }: Service): void => {
  withdraw(draft, [id]);
  const service = find(draft, id);
  if (service !== undefined) put(draft, { ...service, leaving: true, resume: isMissed(service) });
  send(draft, id, { type: 'stop' });
  revisit(draft, id);
};

/** Returns all projects, without the project of the service if no other service of that project is left. */
const projectsAfter = (
  { projects }: SupervisorState,
  roster: Roster,
  { spec }: Service,
): SupervisorState['projects'] => {
  if (servicesOf(roster).some((other) => other.spec.project === spec.project)) return projects;
  const { [spec.project]: _gone, ...others } = projects;
  return others;
};

/** True if the service has no other run of a rollout, no children and no leftover processes. */
const isAlone = ({ rollout, children, remnants }: Service): boolean =>
  rollout === undefined && children === undefined && remnants === undefined;

/**
 * Removes a service that is being removed from the service table, once it is down. Reports that to waiting
 * commands, and lets services recover that are down because that service failed.
 */
export const remove = (draft: Draft, { after }: Visit): void => {
  const { id } = after.spec;
  const service = find(draft, id);
  if (!service?.leaving || service.actual.tag !== 'down' || !isAlone(service)) return;
  const roster = withoutService(draft.state.roster, id);
  const { graph: before } = draft.state;
  const graph = graphOf(roster);
  changeState(draft, { roster, graph, projects: projectsAfter(draft.state, roster, service) });
  draft.services.add(id);
  draft.moves.push({ before: service });
  hearOfLeaving(draft, service);
  const held = dependentsOf(before, id);
  recoverServices(draft, held);
  held.forEach((dependent) => revisit(draft, dependent));
};
