// Stops the children that must end with their parent (`termination_policy`), whenever a service or one of its
// children has changed state. A stop of the service ends only after these children.
import { isFollowed } from '../../domain/service/child.ts';
import type { ServiceId } from '../../domain/ids.ts';
import { afterParents, dueToEnd } from '../../children/termination-policy.ts';
import { sendChild, take } from '../child-requests.ts';
import { find, type Draft, type Visit } from '../draft.ts';
import { send } from '../send.ts';

const stopDueChildren = (draft: Draft, id: ServiceId): void => {
  const before = find(draft, id);
  if (before?.children === undefined) return;
  const service = afterParents(before);
  take(draft, before, service);
  for (const { run } of dueToEnd(service)) sendChild(draft, id, [run, { type: 'release' }]);
};

/**
 * Stops the children that must end with their parent. When the last of them has ended, a stop of the service
 * continues.
 */
export const endChildren = (draft: Draft, { before, after }: Visit): void => {
  const { id } = after.spec;
  stopDueChildren(draft, id);
  const service = find(draft, id);
  if (service === undefined || isFollowed(service) || !isFollowed(before)) return;
  if (service.actual.tag === 'stopping') send(draft, id, { type: 'children-gone' });
};
