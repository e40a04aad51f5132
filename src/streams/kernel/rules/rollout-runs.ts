// Manages the two runs of a rollout: starts the new run when its dependencies are ready, stops the run that
// must end, and reports changes of both runs to the rollout.
import type { ServiceId } from '../../domain/ids.ts';
import { impulseOf } from '../../rollout/inputs-from-runs.ts';
import { find, type Draft, type Visit } from '../draft.ts';
import { advance } from '../rollouts/advance-rollout.ts';
import { bring, type RunOrder } from '../rollouts/begin-rollout.ts';
import { sendTo } from '../send.ts';
import { admitRun } from './start-order.ts';

/**
 * Stops the second run of a rollout if it must end. This stop waits for no dependents, because they use the
 * current run.
 */
const releaseOther = (draft: Draft, id: ServiceId): void => {
  const other = find(draft, id)?.rollout?.other;
  if (other?.wanted !== 'down') return;
  if (other.actual.tag === 'starting' || other.actual.tag === 'up')
    sendTo(draft, { service: id, which: 'other' }, { type: 'release' });
};

/** Begins the restart that waited for the end of a rollout, unless a newer command stops the service. */
const beginAgain = (draft: Draft, id: ServiceId, order: RunOrder): void => {
  const service = find(draft, id);
  if (service?.rollout === undefined && service?.wanted === 'up') bring(draft, id, order);
};

/**
 * Starts or stops the second run of a rollout, and advances the rollout. When the rollout has ended, begins
 * the restart that waited for its end.
 */
export const advanceRollout = (draft: Draft, { after }: Visit): void => {
  const { id } = after.spec;
  admitRun(draft, { service: id, which: 'other' });
  releaseOther(draft, id);
  const service = find(draft, id);
  const input = service && impulseOf(service);
  if (input === undefined) return;
  advance(draft, id, input);
  const again = service?.rollout?.again;
  if (again !== undefined) beginAgain(draft, id, again);
};
