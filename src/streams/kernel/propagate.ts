// Propagates the change of a service to other services. A work list holds changes of services. Each is taken
// from the list and all rules are applied to it, in order, until the list is empty. Rules follow edges of the
// dependency graph and never scan the service table, so that the cost of a step depends on what it changes.
//
// The reasons for the order:
// - First a place in the gate (the limit of simultaneous starts) is freed, so that a service which starts
//   later finds it.
// - Then the changed service itself is checked: if it is a casualty (down because a dependency failed) it may
//   recover, and if it waits its dependencies may be ready.
// - Dependents that may start are started before casualties recover. A recovered casualty begins to wait, and
//   is started when that change is taken from the list.
// - A failure stops its dependents after all starts: a service just started because of one dependency is
//   stopped in the same step if another dependency has failed. A rule that came later would start services on
//   a failed dependency.
// - Then rollouts advance, because a casualty's candidate (the new run) is withdrawn too, and then children.
// - Then stops begin, because now it is known which services are still alive. Removals come after stops.
// - Last, the commands that wait for the service are checked: they may be answered now.
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

/**
 * Applies all rules to each change in the work list, and to the changes that these cause, until the list is
 * empty.
 */
export const propagate = (draft: Draft): void => {
  for (let visit = draft.work.shift(); visit !== undefined; visit = draft.work.shift())
    for (const rule of RULES) rule(draft, visit);
};
