// Advances rollouts: the rollout table computes each change of step, and the draft stores it.
import type { Effect } from '../../domain/effect.ts';
import { isSuccess } from '../../domain/service/exit-status.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Run } from '../../domain/service/service-run.ts';
import type { Service } from '../../domain/service/service.ts';
import { isLost } from '../../rollout/inputs-from-runs.ts';
import { stepOf, type RolloutInput, type RolloutMove } from '../../rollout/rollout-input.ts';
import { rolled } from '../../rollout/rollout-machine.ts';
import { inStep, withCandidate, withoutRollout } from '../../rollout/two-runs.ts';
import { isStartedAgain } from '../../service/run-ended.ts';
import { find, put, type Draft } from '../draft.ts';
import { rebuildGraph } from '../register-manifests.ts';
import { sendTo } from '../send.ts';

const isEnd = (to: RolloutMove['to']): to is 'done' | 'undone' => to === 'done' || to === 'undone';

const moved = (service: Service, move: RolloutMove, at: Draft['at']): Service => {
  const { rollout } = service;
  if (rollout === undefined) return service;
  const { to, check, undoing } = move;
  const next = { ...rollout, ...(check && { check }), ...(undoing && { undoing }) };
  if (to === undefined) return { ...service, rollout: next };
  if (isEnd(to)) return withoutRollout({ ...service, rollout: next }, at);
  const stepped = inStep(next, to, at);
  return to === 'retiring' ? withCandidate(service, stepped) : { ...service, rollout: stepped };
};

const isSwitched = (input: RolloutInput): boolean =>
  input.type === 'switched' && input.outcome.tag === 'ended' && isSuccess(input.outcome.status);

/**
 * Returns the effect that writes the slot with the traffic to `state_path`, after the traffic was switched.
 */
const slotKept = ({ slot, rollout }: Service, input: RolloutInput): readonly Effect[] => {
  if (!isSwitched(input) || rollout === undefined) return [];
  const { spec, slot: candidate } = rollout.other;
  const path = spec.deployment.blueGreen?.statePath;
  const now = stepOf(rollout) === 'reverting' ? slot : candidate;
  if (path === undefined || now === undefined) return [];
  return [{ type: 'keep-slot', service: spec.id, path, slot: now }];
};

/** True if the run is ending by itself and no new run follows. */
const endsForGood = (other: Run): boolean =>
  isLost(other) && other.actual.tag === 'stopping' && !isStartedAgain(other.actual);

/** Stops the second run of a rollout, unless it is already ending by itself. */
const stopOther = (draft: Draft, id: ServiceId): void => {
  const rollout = find(draft, id)?.rollout;
  if (rollout === undefined || (endsForGood(rollout.other) && rollout.undoing === undefined)) return;
  sendTo(draft, { service: id, which: 'other' }, { type: 'stop' });
};

/** Performs the actions of the new step of a rollout. */
const entered = (
  draft: Draft,
  id: ServiceId,
  { to, input }: { to: RolloutMove['to']; input: RolloutInput },
): void => {
  // The rollout has ended, so the dependencies of the candidate's declaration count only if the next run uses
  // this declaration.
  if (isEnd(to)) return rebuildGraph(draft);
  // The restart policy must not start the second run again, even if this run has ended by itself.
  if (to === 'withdrawing' || to === 'retiring' || input.type === 'over') stopOther(draft, id);
};

/** Sends an input to the rollout of this service. Drops the input if there is no rollout. */
export const advance = (draft: Draft, id: ServiceId, input: RolloutInput): void => {
  const before = find(draft, id);
  if (before?.rollout === undefined) return;
  const { rollout } = before;
  const { deployment } = rollout.other.spec;
  // The recorded slot may come from an older declaration, so the current run's declaration must be
  // blue/green, too.
  const hasWayBack = before.slot !== undefined && before.spec.deployment.blueGreen !== undefined;
  const move = rolled({ service: id, rollout, deployment, hasWayBack, input, at: draft.at });
  if (Object.keys(move).length === 0) return;
  const turn = { before, after: moved(before, move, draft.at) };
  put(draft, turn.after);
  draft.effects.push(...slotKept(before, input));
  draft.work.push(turn);
  if (move.to !== undefined) draft.rollouts.push(turn);
  entered(draft, id, { to: move.to, input });
};
