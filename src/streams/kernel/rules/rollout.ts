// Rollouts: the second run is admitted when its dependencies are ready, and released when it must end. The
// rollout is notified of what became of its two runs.
import type { ServiceId } from '../../domain/ids.ts';
import { impulseOf } from '../../rollout/impulse.ts';
import { find, type Draft, type Visit } from '../draft.ts';
import { admitSecond } from '../rollouts/admit.ts';
import { advance } from '../rollouts/advance.ts';
import { bring } from '../rollouts/bring.ts';
import { sendSecond } from '../rollouts/second.ts';

/** No service depends on the run that goes, so it ends at once. */
const releaseSecond = (draft: Draft, id: ServiceId): void => {
  const other = find(draft, id)?.rollout?.other;
  if (other?.wanted !== 'down') return;
  if (other.actual.tag === 'starting' || other.actual.tag === 'up')
    sendSecond(draft, id, { type: 'release' });
};

/** The rollout is over: a restart that waited for that begins, unless a stop is the newer order. */
const beginAgain = (draft: Draft, id: ServiceId, insisted: boolean): void => {
  const service = find(draft, id);
  if (service?.rollout === undefined && service?.wanted === 'up') bring(draft, id, insisted);
};

/** Moves a service's rollout on. If it is over, the next one may begin. */
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
