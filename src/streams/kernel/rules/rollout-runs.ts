// Manages the two runs of a rollout: starts the candidate when its dependencies are ready, stops the other
// run when it must end, and sends the states of both runs to the rollout.
import type { ServiceId } from '../../domain/ids.ts';
import { impulseOf } from '../../rollout/inputs-from-runs.ts';
import { find, type Draft, type Visit } from '../draft.ts';
import { advance } from '../rollouts/advance.ts';
import { bring } from '../rollouts/begin-rollout.ts';
import { sendTo } from '../send.ts';
import { admitRun } from './start-order.ts';

/**
 * Stops the other run of a rollout at once if it must end. It waits for no dependents, because they depend on
 * the current run.
 */
const releaseOther = (draft: Draft, id: ServiceId): void => {
  const other = find(draft, id)?.rollout?.other;
  if (other?.wanted !== 'down') return;
  if (other.actual.tag === 'starting' || other.actual.tag === 'up')
    sendTo(draft, { service: id, which: 'other' }, { type: 'release' });
};

/**
 * Begins the restart of a service that waited for the end of its rollout, unless a newer command stops the
 * service.
 */
const beginAgain = (draft: Draft, id: ServiceId, insisted: boolean): void => {
  const service = find(draft, id);
  if (service?.rollout === undefined && service?.wanted === 'up') bring(draft, id, insisted);
};

/**
 * Starts or stops the other run of a service's rollout, and advances that rollout. If it has ended, a restart
 * that waited for its end begins.
 */
export const roll = (draft: Draft, { after }: Visit): void => {
  const { id } = after.spec;
  admitRun(draft, { service: id, which: 'other' });
  releaseOther(draft, id);
  const service = find(draft, id);
  const input = service && impulseOf(service);
  if (input === undefined) return;
  advance(draft, id, input);
  const again = service?.rollout?.again;
  if (again !== undefined) beginAgain(draft, id, again.insisted);
};
