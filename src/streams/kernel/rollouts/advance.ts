// The one way in which the kernel speaks to a rollout: an input goes through the table of rollouts, and what becomes of it
// is taken up by the draft.
import type { Effect } from '../../domain/effect.ts';
import { isSuccess } from '../../domain/service/exit.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service/service.ts';
import { isLost } from '../../rollout/impulse.ts';
import { stepOf, type RolloutInput, type RolloutMove } from '../../rollout/input.ts';
import { rolled } from '../../rollout/rollout.ts';
import { inStep, promoted, withoutRollout } from '../../rollout/runs.ts';
import { find, put, type Draft } from '../draft.ts';
import { rebuildGraph } from '../register.ts';
import { sendSecond } from './second.ts';

const isEnd = (to: RolloutMove['to']): to is 'done' | 'undone' => to === 'done' || to === 'undone';

const moved = (service: Service, move: RolloutMove, at: Draft['at']): Service => {
  const { rollout } = service;
  if (rollout === undefined) return service;
  const { to, check, undoing } = move;
  const next = { ...rollout, ...(check && { check }), ...(undoing && { undoing }) };
  if (to === undefined) return { ...service, rollout: next };
  if (isEnd(to)) return withoutRollout({ ...service, rollout: next }, at);
  const stepped = inStep(next, to, at);
  return to === 'retiring' ? promoted(service, stepped) : { ...service, rollout: stepped };
};

const isSwitched = (input: RolloutInput): boolean =>
  input.type === 'switched' && input.outcome.tag === 'ended' && isSuccess(input.outcome.status);

/** The traffic goes elsewhere now: `state_path` says where. */
const slotKept = ({ slot, rollout }: Service, input: RolloutInput): readonly Effect[] => {
  if (!isSwitched(input) || rollout === undefined) return [];
  const { spec, slot: candidate } = rollout.other;
  const path = spec.deployment.blueGreen?.statePath;
  const now = stepOf(rollout) === 'reverting' ? slot : candidate;
  if (path === undefined || now === undefined) return [];
  return [{ type: 'keep-slot', service: spec.id, path, slot: now }];
};

/** What ends by itself has that to its end: it tells how. */
const stopSecond = (draft: Draft, id: ServiceId): void => {
  const rollout = find(draft, id)?.rollout;
  if (rollout === undefined || (isLost(rollout.other) && rollout.undoing === undefined)) return;
  sendSecond(draft, id, { type: 'stop' });
};

/** What a step brings about as it is entered. */
const entered = (
  draft: Draft,
  id: ServiceId,
  { to, input }: { to: RolloutMove['to']; input: RolloutInput },
): void => {
  // What was declared counts for the neighbours only if it is taken up.
  if (isEnd(to)) return rebuildGraph(draft);
  // A run that has ended by itself and is not done with yet must not come back.
  if (to === 'withdrawing' || to === 'retiring' || input.type === 'over') stopSecond(draft, id);
};

/** One input to the rollout of this service; without a rollout it is news of the past. */
export const advance = (draft: Draft, id: ServiceId, input: RolloutInput): void => {
  const before = find(draft, id);
  if (before?.rollout === undefined) return;
  const { rollout } = before;
  const { deployment } = rollout.other.spec;
  // A slot may be kept of a time in which it had some.
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
