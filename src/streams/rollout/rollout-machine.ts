// The state machine of a rollout, as one total table (`rollout-table.ts`): what happens in each step on each
// input.
//
// Two runs of one service exist at once. The service table (`service/service-machine.ts`) drives each like
// any other run. This table decides which of them is the service. Until the candidate is proven, that is the
// old run, untouched. In `retiring` it is the candidate, and the old run stops. An earlier failure leads to
// `withdrawing`, through `reverting` if the traffic may have been switched. Then the candidate ends and the
// old run is not affected.
//
//   starting ─► verifying ─► switching ─► confirming ─► watching ─► retiring ─► done
//       │           │            │            │            │
//       │           │            └────────────┴────────────┴─► reverting (blue/green)
//       └───────────┴──────────────────────────────────────────────┴─► withdrawing ─► undone
//
// Only blue/green services have `verifying`, `switching`, `confirming` and `reverting`. Without a
// `grace_period` there is no `watching`; if the old run has no slot, there is no `reverting`. See
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
  // The row is chosen by the type of the input.
  const row = TABLE[stepOf(situation.rollout)] as Record<RolloutInputType, RolloutCell<RolloutInputType>>;
  return row[situation.input.type](situation);
};

/** The move without `reverting`: the service was not blue/green before, so its old run has no slot. */
const oneWay = ({ to, undoing, ...move }: RolloutMove, { input }: Occasion): RolloutMove => {
  const instead = input.type === 'over' ? 'undone' : 'withdrawing';
  return {
    ...move,
    ...(to && { to: to === 'reverting' ? instead : to }),
    ...(undoing && { undoing: withoutWayBack(undoing) }),
  };
};

/** The move of one rollout on one input. */
export const rolled = (situation: Occasion): RolloutMove => {
  const move = byTable(situation);
  const { rollout, deployment, hasWayBack } = situation;
  if (hasWayBack || deployment.blueGreen === undefined || !isSwitching(rollout)) return move;
  return oneWay(move, situation);
};
