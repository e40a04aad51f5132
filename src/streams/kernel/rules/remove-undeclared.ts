// Removes services that are no longer declared: each is stopped, and leaves the service table once it is
// down.
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

/** True if the service should run, or should have before its removal began. */
export const isMissed = ({ wanted, leaving, resume }: Service): boolean =>
  wanted === 'up' || (leaving && resume);

/** Begins the removal of a service. If it was meant to run, declaring it again starts it again. */
export const leave = (draft: Draft, { spec: { id } }: Service): void => {
  withdraw(draft, [id]);
  const service = find(draft, id);
  if (service !== undefined) put(draft, { ...service, leaving: true, resume: isMissed(service) });
  send(draft, id, { type: 'stop' });
  revisit(draft, id);
};

/** Returns the projects, without that of the service if it was the last one there. */
const projectsAfter = (
  { projects }: SupervisorState,
  roster: Roster,
  { spec }: Service,
): SupervisorState['projects'] => {
  if (servicesOf(roster).some((other) => other.spec.project === spec.project)) return projects;
  const { [spec.project]: _gone, ...others } = projects;
  return others;
};

/** True if the service has no process besides its current run. */
const isAlone = ({ rollout, children, remnants }: Service): boolean =>
  rollout === undefined && children === undefined && remnants === undefined;

/** Removes a leaving service that is down, decides waiting commands, and lets its casualties recover. */
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
