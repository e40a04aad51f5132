// A candidate starts when its dependencies are ready. It does not pass the gate: it is a single one,
// requested by a command.
import type { ServiceId } from '../../domain/ids.ts';
import type { Rollout } from '../../domain/service/service.ts';
import { isForwards } from '../../rollout/impulse.ts';
import { find, type Draft } from '../draft.ts';
import { needsOf } from '../needs.ts';
import { sendSecond } from './second.ts';

/** True for a candidate that waits to be proven, false for one that is withdrawn. */
const isWaiting = ({ other, ...rollout }: Rollout): boolean =>
  isForwards(rollout) && other.actual.tag === 'waiting' && other.wanted === 'up';

/** Admits the second run of a rollout when its dependencies are ready; it never waits for the gate. */
export const admitSecond = (draft: Draft, id: ServiceId): void => {
  const service = find(draft, id);
  // No run begins next to leftovers of an earlier one, nor when the supervisor is about to end.
  if (service?.rollout === undefined || service.remnants !== undefined) return;
  if (draft.state.phase !== 'running' || !isWaiting(service.rollout)) return;
  const needs = needsOf(draft, id);
  if (needs.tag === 'skipped') sendSecond(draft, id, { type: 'pass-over', dependency: needs.by });
  if (needs.tag === 'there') sendSecond(draft, id, { type: 'admit' });
};
