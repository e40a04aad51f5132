// Rollouts: the second run is admitted when what it needs is there, is let go when it is to end, and the rollout hears of
// what the two runs have become.
import type { ServiceId } from '../../domain/ids.ts';
import { impulseOf } from '../../rollout/impulse.ts';
import { find, type Draft, type Visit } from '../draft.ts';
import { admitSecond } from '../rollouts/admit.ts';
import { advance } from '../rollouts/advance.ts';
import { bring } from '../rollouts/bring.ts';
import { sendSecond } from '../rollouts/second.ts';

/** Nobody depends on the run that goes: it ends at once. */
const releaseSecond = (draft: Draft, id: ServiceId): void => {
  const other = find(draft, id)?.rollout?.other;
  if (other?.wanted !== 'down') return;
  if (other.actual.tag === 'starting' || other.actual.tag === 'up')
    sendSecond(draft, id, { type: 'release' });
};

/** The rollout is over: the restart that waited for that has its turn, unless a stop is the newer order. */
const beginAgain = (draft: Draft, id: ServiceId, insisted: boolean): void => {
  const service = find(draft, id);
  if (service?.rollout === undefined && service?.wanted === 'up') bring(draft, id, insisted);
};

/** A service with a rollout: where does it go from here? If it is over, the next one may begin. */
export const roll = (draft: Draft, { after }: Visit): void => {
  const { id } = after.spec;
  admitSecond(draft, id);
  releaseSecond(draft, id);
  const service = find(draft, id);
  const input = service && impulseOf(service);
  if (input === undefined) return;
  advance(draft, id, input);
  const again = service?.rollout?.again;
  if (again !== undefined) beginAgain(draft, id, again.insisted);
};
