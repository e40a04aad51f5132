// Propagates the change of a service to other services. A work list holds the changes to handle. All rules
// are applied to each of them, in order, until the list is empty. Rules follow edges of the graph and never
// scan the service table, so that the cost of a step depends on what it changes.
//
// The reasons for the order:
// - A place in the gate is freed first, so that a service that starts later finds it.
// - Then comes the service itself: a casualty may recover, or a waiting service may find its dependencies
//   ready.
// - Dependents are admitted before casualties recover: a recovered casualty begins to wait and is admitted
//   when its own change is handled.
// - Failures cascade after all admissions: a service just admitted through one dependency is stopped in the
//   same step if another dependency has failed. A rule that admitted later would start services on a failed
//   dependency.
// - Rollouts follow, because the candidate of a casualty is withdrawn too, and then children.
// - Stops come when it is known which services are still alive, and removals after stops.
// - Requests are notified last.
import type { Draft, Visit } from './draft.ts';
import { hear } from './requests/awaited-services.ts';
import { admit, admitDependents, leaveGate, takeUp, takeUpDependents } from './rules/start-order.ts';
import { follow } from './rules/end-children.ts';
import { fell, fellLate, recover, recoverDependents } from './rules/casualty.ts';
import { keepSlot } from './rollouts/traffic-slot.ts';
import { remove } from './rules/remove-undeclared.ts';
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
