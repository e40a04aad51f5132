// Leaving: a service that is not declared any more stops, and is gone from the roster as soon as it is down.
import type { Service } from '../../domain/service/service.ts';
import { dependentsOf } from '../../graph/graph.ts';
import { find, put, revisit, type Draft, type Visit } from '../draft.ts';
import { hearOfLeaving } from '../requests/hear.ts';
import { withdraw } from '../requests/withdraw.ts';
import { graphOf } from '../register.ts';
import { servicesOf, withoutService, type Roster } from '../roster.ts';
import type { SupervisorState } from '../state.ts';
import { send } from '../send.ts';
import { raiseAll } from './casualty.ts';

/** It is wanted, or would be if it were not on its way out. */
export const isMissed = ({ wanted, leaving, resume }: Service): boolean =>
  wanted === 'up' || (leaving && resume);

/** From now on it is on its way out. Declared again before it is gone, it is wanted as it was. */
export const leave = (draft: Draft, { spec: { id } }: Service): void => {
  withdraw(draft, [id]);
  const service = find(draft, id);
  if (service !== undefined) put(draft, { ...service, leaving: true, resume: isMissed(service) });
  send(draft, id, { type: 'stop' });
  revisit(draft, id);
};

/** With the last of its services a project is gone. */
const projectsAfter = (
  { projects }: SupervisorState,
  roster: Roster,
  { spec }: Service,
): SupervisorState['projects'] => {
  if (servicesOf(roster).some((other) => other.spec.project === spec.project)) return projects;
  const { [spec.project]: _gone, ...others } = projects;
  return others;
};

/** Beside the run that is over there may be a candidate, children, or somebody of an earlier run. */
const isAlone = ({ rollout, children, remnants }: Service): boolean =>
  rollout === undefined && children === undefined && remnants === undefined;

/** It is down: it leaves, whoever waited for that hears of it, and nobody is held down by it any longer. */
export const remove = (draft: Draft, { after }: Visit): void => {
  const { id } = after.spec;
  const service = find(draft, id);
  if (!service?.leaving || service.actual.tag !== 'down' || !isAlone(service)) return;
  const roster = withoutService(draft.state.roster, id);
  const { graph: before } = draft.state;
  const graph = graphOf(roster);
  draft.state = { ...draft.state, roster, graph, projects: projectsAfter(draft.state, roster, service) };
  draft.services.add(id);
  draft.moves.push({ before: service });
  hearOfLeaving(draft, service);
  const held = dependentsOf(before, id);
  raiseAll(draft, held);
  held.forEach((dependent) => revisit(draft, dependent));
};
