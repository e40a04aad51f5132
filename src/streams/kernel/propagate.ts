// What a move means for other services. A work list holds the services to visit. Every rule is applied to
// each, in order, until the list is empty. Rules walk edges, never the roster, so that a step costs what it
// touches.
//
// Why this order. First a place in the gate is freed, so that a service that starts below finds it. Then
// comes the service itself: a casualty may recover, or a waiting one find its dependencies ready. Then its
// dependents: they are admitted before casualties recover, since those only begin to wait and are admitted in
// their own visit. Failures cascade after all admissions: a service just admitted through one dependency is
// stopped in the same step if another failed. A rule that admitted later would start services on a failed
// dependency. Rollouts follow, since a casualty's candidate is withdrawn too, and then children. Stops come
// when it is known what is still alive, and leaving after stops. Requests come last, after all other rules.
import type { Draft, Visit } from './draft.ts';
import { hear } from './requests/awaited-services.ts';
import { admit, admitDependents, leaveGate, takeUp, takeUpDependents } from './rules/start-order.ts';
import { follow } from './rules/children.ts';
import { fell, fellLate, recover, recoverDependents } from './rules/casualty.ts';
import { keepSlot } from './rollouts/traffic-slot.ts';
import { remove } from './rules/leaving.ts';
import { roll } from './rules/rollout-runs.ts';
import { release, releaseNeeds } from './rules/stop-order.ts';

type Rule = (draft: Draft, visit: Visit) => void;

const RULES: readonly Rule[] = [
  leaveGate,
  recover,
  admit,
  takeUp,
  admitDependents,
  recoverDependents,
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

/** Applies the rules until nothing changes any more. */
export const propagate = (draft: Draft): void => {
  for (let visit = draft.work.shift(); visit !== undefined; visit = draft.work.shift())
    for (const rule of RULES) rule(draft, visit);
};
