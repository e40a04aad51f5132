// The order of a stop: a service that is not wanted ends once no dependent that is not wanted either is alive, direct or
// across others: a one-shot that is done, or a service that is kept, lets the order through.
import type { ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import { awaitsTraffic } from '../../deploy/impulse.ts';
import { nodeOf, reach } from '../../graph/graph.ts';
import { holdsUp } from '../../graph/standing.ts';
import { find, type Draft, type Visit } from '../draft.ts';
import { send } from '../send.ts';

const isHolding = (draft: Draft, id: ServiceId): boolean => {
  const service = find(draft, id);
  return service !== undefined && holdsUp(service);
};

/** The nearest are asked first: in a stack that is all to stop, they answer for those behind them. */
const isHeld = (draft: Draft, id: ServiceId): boolean => {
  const dependentsOf = (each: ServiceId): readonly ServiceId[] => nodeOf(draft.state.graph, each).neededBy;
  const holds = (dependent: ServiceId): boolean => isHolding(draft, dependent);
  return dependentsOf(id).some(holds) || reach([id], dependentsOf).some(holds);
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
  reach([after.spec.id], needsOf).forEach((id) => releaseOne(draft, id));
};
