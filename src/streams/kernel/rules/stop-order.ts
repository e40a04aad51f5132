// The order of a stop: a service that is not wanted ends once no dependent that is not wanted either is alive.
import type { ServiceId } from '../../domain/ids.ts';
import { nodeOf } from '../../graph/graph.ts';
import { holdsUp } from '../../graph/standing.ts';
import { find, type Draft, type Visit } from '../draft.ts';
import { send } from '../send.ts';

const releaseOne = (draft: Draft, id: ServiceId): void => {
  const service = find(draft, id);
  if (service?.wanted !== 'down') return;
  if (service.actual.tag !== 'starting' && service.actual.tag !== 'up') return;
  const held = nodeOf(draft.state.graph, id).neededBy.some((dependent) => {
    const found = find(draft, dependent);
    return found !== undefined && holdsUp(found);
  });
  if (!held) send(draft, id, { type: 'release' });
};

/** It is to stop: now, unless a dependent holds it up. */
export const release = (draft: Draft, { after }: Visit): void => releaseOne(draft, after.spec.id);

/** It holds up nobody any more: what it depends on may stop. */
export const releaseNeeds = (draft: Draft, { before, after }: Visit): void => {
  if (holdsUp(after) || (!holdsUp(before) && before !== after)) return;
  nodeOf(draft.state.graph, after.spec.id).needs.forEach(({ service }) => releaseOne(draft, service));
};
