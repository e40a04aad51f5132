// Propagates the change of a service to other services. Takes one changed service after another from a list,
// and applies all rules to it. A rule may add further services to the list. Rules follow the dependency graph
// and never loop over the service table.
//
// Reasons for the order of the rules:
// - A place in the gate is freed first, so that a service that starts later in the same step can take it.
// - Then the changed service itself may recover or start.
// - Dependents start before casualties recover: a recovered casualty only waits, and starts when the list
//   reaches it.
// - A failure stops dependents after all starts, so that no dependent keeps running on a failed dependency.
// - Rollouts follow, because a failure also withdraws candidates. Children come next.
// - Then stops begin, because it is known now which services are still alive.
// - Then commands that wait for the service are answered.
// - When the list is empty, all services to remove are removed together.
import type { Draft, Visit } from './draft.ts';
import { checkRequests } from './requests/answer/awaited-services.ts';
import {
  admit,
  admitDependents,
  leaveGate,
  retrySkipped,
  retrySkippedDependents,
} from './rules/start-order.ts';
import { endChildren } from './rules/end-children.ts';
import { cascade, cascadeAfterSpawn, recover, recoverDependents } from './rules/casualty.ts';
import { actOnFileChange } from './rules/restart-on-file-change.ts';
import { keepSlot } from './rollouts/traffic-slot.ts';
import { markForRemoval, removeMarked } from './rules/remove-undeclared.ts';
import { advanceRollout } from './rules/rollout-runs.ts';
import { release, releaseDependencies } from './rules/stop-order.ts';

type Rule = (draft: Draft, visit: Visit) => void;

const RULES: readonly Rule[] = [
  leaveGate,
  recover,
  admit,
  retrySkipped,
  admitDependents,
  recoverDependents,
  retrySkippedDependents,
  cascade,
  cascadeAfterSpawn,
  advanceRollout,
  actOnFileChange,
  keepSlot,
  endChildren,
  release,
  releaseDependencies,
  markForRemoval,
  checkRequests,
];

/** Applies all rules to each queued change, and to all further changes that rules and removals cause. */
export const propagate = (draft: Draft): void => {
  do {
    for (let visit = draft.work.shift(); visit !== undefined; visit = draft.work.shift())
      for (const rule of RULES) rule(draft, visit);
  } while (removeMarked(draft));
};
