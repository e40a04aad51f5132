// The state machine of a rollout: one total table (`rollout-table.ts`) that says what happens in each step
// on each input.
//
// Two runs of one service exist at once. The state table of services (`service/service-machine.ts`) drives
// each of them like any other run. The rollout table decides which of the two is the current run of the
// service:
// - Until the candidate is proven, the old run is the current run. It stays untouched.
// - In `retiring`, the candidate is the current run, and the old run stops.
// - If the rollout fails before `retiring`, it goes to `withdrawing`, through `reverting` if the traffic may
//   have been switched. The candidate is stopped, and the old run continues.
//
//   starting ─► verifying ─► switching ─► confirming ─► watching ─► retiring ─► done
//       │           │            │            │            │
//       │           │            └────────────┴────────────┴─► reverting (blue/green)
//       └───────────┴──────────────────────────────────────────────┴─► withdrawing ─► undone
//
// Only blue/green services have `verifying`, `switching`, `confirming` and `reverting`. Without a
// `grace_period` there is no `watching`. If the old run has no slot, there is no `reverting`. See
// `docs/deployments.md`, "The steps".
import { withoutWayBack } from './rollout-failure.ts';
import {
  isSwitching,
  stepOf,
  type RolloutInput,
  type RolloutInputType,
  type RolloutMove,
} from './rollout-input.ts';
import { type RolloutCell, TABLE, type Circumstances } from './rollout-table.ts';

type Occasion = Circumstances & { readonly input: RolloutInput };

const byTable = (situation: Occasion): RolloutMove => {
  // The cast is safe: the row is chosen by the type of this input.
  const row = TABLE[stepOf(situation.rollout)] as Record<RolloutInputType, RolloutCell<RolloutInputType>>;
  return row[situation.input.type](situation);
};

/** Returns the change without `reverting`, for an old run that has no slot to switch back to. */
const oneWay = ({ to, undoing, ...move }: RolloutMove, { input, service }: Occasion): RolloutMove => {
  const instead = input.type === 'over' ? 'undone' : 'withdrawing';
  return {
    ...move,
    ...(to && { to: to === 'reverting' ? instead : to }),
    ...(undoing && { undoing: withoutWayBack(undoing, service) }),
  };
};

/** Returns how this input changes the rollout: its next step, or its end. */
export const rolled = (situation: Occasion): RolloutMove => {
  const move = byTable(situation);
  const { rollout, deployment, hasWayBack } = situation;
  if (hasWayBack || deployment.blueGreen === undefined || !isSwitching(rollout)) return move;
  return oneWay(move, situation);
};
