// A candidate begins when what it needs is there. It does not pass the gate: it is one, and somebody asked for it.
import type { ServiceId } from '../../domain/ids.ts';
import type { Rollout } from '../../domain/service/service.ts';
import { isForwards } from '../../rollout/impulse.ts';
import { find, type Draft } from '../draft.ts';
import { needsOf } from '../needs.ts';
import { sendSecond } from './second.ts';

/** A candidate that is to be proven waits for its turn; one that is taken back has none. */
const isWaiting = ({ other, ...rollout }: Rollout): boolean =>
  isForwards(rollout) && other.actual.tag === 'waiting' && other.wanted === 'up';

/** The second run of a rollout waits for its dependencies as any run, but never for the gate. */
export const admitSecond = (draft: Draft, id: ServiceId): void => {
  const service = find(draft, id);
  // Nobody begins beside what is left of an earlier run, nor once the supervisor is about to end.
  if (service?.rollout === undefined || service.remnants !== undefined) return;
  if (draft.state.phase !== 'running' || !isWaiting(service.rollout)) return;
  const needs = needsOf(draft, id);
  if (needs.tag === 'skipped') sendSecond(draft, id, { type: 'pass-over', dependency: needs.by });
  if (needs.tag === 'there') sendSecond(draft, id, { type: 'admit' });
};
