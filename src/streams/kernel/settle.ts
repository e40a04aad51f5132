// What a move means for the neighbours: a work list of services to look at, and the rules that are asked about each, in
// their order, until nobody is left to look at. Rules walk edges, never the roster, so that a step costs what it touches.
//
// Why this order. First of all a place in the gate is given back, so that whoever begins below finds it free. Then the
// service itself: it may have fallen while its culprits rose, or wait for what is there already. Then those who depend
// on it: admitted before anybody is raised, since who rises only begins to wait and is admitted in its own turn. Falls
// come after all admissions: what has just been let in because of one dependency and falls with another is felled in the
// same step, and a rule that admitted after falls would let in what stands on a ruin. Rollouts look next: what falls takes
// its candidate along, and then its children. Stops come then, when it is
// known who is still alive, and leaving after stops. Requests hear last, of what all the other rules have left.
import type { Draft, Visit } from './draft.ts';
import { hear } from './requests/hear.ts';
import { admit, admitDependents, leaveGate, takeUp, takeUpDependents } from './rules/admission.ts';
import { follow } from './rules/children.ts';
import { fell, fellLate, raise, raiseDependents } from './rules/casualty.ts';
import { keepSlot } from './rollouts/slots.ts';
import { remove } from './rules/leaving.ts';
import { roll } from './rules/rollout.ts';
import { release, releaseNeeds } from './rules/stop-order.ts';

type Rule = (draft: Draft, visit: Visit) => void;

const RULES: readonly Rule[] = [
  leaveGate,
  raise,
  admit,
  takeUp,
  admitDependents,
  raiseDependents,
  takeUpDependents,
  fell,
  fellLate,
  roll,
  keepSlot,
  follow,
  release,
  releaseNeeds,
  remove,
  hear,
];

/** Works until nothing changes any more. */
export const settle = (draft: Draft): void => {
  for (let visit = draft.work.shift(); visit !== undefined; visit = draft.work.shift())
    for (const rule of RULES) rule(draft, visit);
};
