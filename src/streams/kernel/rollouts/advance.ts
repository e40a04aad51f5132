// The one way in which the kernel speaks to a rollout: an input goes through the table of rollouts, and what becomes of it
// is taken up by the draft.
import type { Effect } from '../../domain/effect.ts';
import { isSuccess } from '../../domain/exit.ts';
import type { ServiceId } from '../../domain/ids.ts';
import type { Service } from '../../domain/service.ts';
import { isLost } from '../../deploy/impulse.ts';
import { stepOf, type RolloutInput, type RolloutMove } from '../../deploy/input.ts';
import { rolled } from '../../deploy/rollout.ts';
import { inStep, promoted, withoutRollout } from '../../deploy/runs.ts';
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

/** The traffic goes elsewhere now: `state_path` says where. */
const slotKept = ({ slot, rollout }: Service, input: RolloutInput): readonly Effect[] => {
  const done = input.type === 'switched' && input.outcome.tag === 'ended' && isSuccess(input.outcome.status);
  if (!done || rollout === undefined) return [];
  const { spec, slot: candidate } = rollout.other;
  const path = spec.deployment.blueGreen?.statePath;
  const now = stepOf(rollout) === 'reverting' ? slot : candidate;
  return path === undefined || now === undefined
    ? []
    : [{ type: 'keep-slot', service: spec.id, path, slot: now }];
};

/** What ends by itself has that to its end: it tells how. */
const stopSecond = (draft: Draft, id: ServiceId): void => {
  const rollout = find(draft, id)?.rollout;
  if (rollout === undefined || (isLost(rollout.other) && rollout.undoing === undefined)) return;
  sendSecond(draft, id, { type: 'stop' });
};

/** One input to the rollout of this service; without a rollout it is news of the past. */
export const advance = (draft: Draft, id: ServiceId, input: RolloutInput): void => {
  const before = find(draft, id);
  if (before?.rollout === undefined) return;
  const { rollout } = before;
  const { deployment } = rollout.other.spec;
  const move = rolled({ service: id, rollout, deployment, input, at: draft.at });
  if (Object.keys(move).length === 0) return;
  const after = moved(before, move, draft.at);
  put(draft, after);
  draft.effects.push(...slotKept(before, input));
  draft.work.push({ before, after });
  const { to } = move;
  if (to !== undefined) draft.rollouts.push({ before, after });
  // A run that has ended by itself and is not done with yet must not come back.
  const isLeft = input.type === 'over' && !isEnd(to);
  if (to === 'withdrawing' || to === 'retiring' || isLeft) stopSecond(draft, id);
  // What was declared counts for the neighbours only if it is taken up.
  if (isEnd(to)) rebuildGraph(draft);
};
