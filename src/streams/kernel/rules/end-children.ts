// Stops children by `termination_policy` after their service changed. A service may wait for its children to
// end.
import type { ServiceId } from '../../domain/ids.ts';
import { afterParents, dueToEnd } from '../../children/termination-policy.ts';
import { isFollowed } from '../../children/ending-children.ts';
import { sendChild, take } from '../child-requests.ts';
import { find, type Draft, type Visit } from '../draft.ts';
import { send } from '../send.ts';

const seeToChildren = (draft: Draft, id: ServiceId): void => {
  const before = find(draft, id);
  if (before?.children === undefined) return;
  const service = afterParents(before);
  take(draft, before, service);
  for (const { run } of dueToEnd(service)) sendChild(draft, id, [run, { type: 'release' }]);
};

/** Stops children that must end with their parent, and tells a stopping service when the last has ended. */
export const follow = (draft: Draft, { before, after }: Visit): void => {
  const { id } = after.spec;
  seeToChildren(draft, id);
  const service = find(draft, id);
  if (service === undefined || isFollowed(service) || !isFollowed(before)) return;
  if (service.actual.tag === 'stopping') send(draft, id, { type: 'children-gone' });
};
