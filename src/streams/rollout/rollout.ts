// The state machine of a rollout, as one total table (`table.ts`): what happens in each step on each input.
//
// Two runs of one service exist at once. Each is driven by the table of services (`service/machine.ts`) as any other;
// this table decides which of them is the service. The old run is that, untouched, until the candidate is proven; then,
// in `retiring`, the candidate is, and the old run stops. Whatever goes wrong before leads to `withdrawing`, by way of
// `reverting` when the traffic may have been switched: the candidate ends, the old run has never noticed.
//
//   starting ─► verifying ─► switching ─► confirming ─► watching ─► retiring ─► done
//       │           │            │            │            │
//       │           │            └────────────┴────────────┴─► reverting (blue/green)
//       └───────────┴──────────────────────────────────────────────┴─► withdrawing ─► undone
//
// `verifying`, `switching`, `confirming` and `reverting` are of blue/green services only; `watching` is left out without a
// `grace_period`, and `reverting` where the old run has no slot. `docs/deployments.md`, "The steps".
import { withoutWayBack } from './failure.ts';
import { isSwitching, stepOf, type RolloutInput, type RolloutInputType, type RolloutMove } from './input.ts';
import { type Cell, TABLE, type Circumstances } from './table.ts';

type Occasion = Circumstances & { readonly input: RolloutInput };

const byTable = (situation: Occasion): RolloutMove => {
  // The table is keyed by the very type that the input has.
  const row = TABLE[stepOf(situation.rollout)] as Record<RolloutInputType, Cell<RolloutInputType>>;
  return row[situation.input.type](situation);
};

/** The service was no blue/green service so far: its traffic came to it by a way that no switch leads back to. */
const oneWay = ({ to, undoing, ...move }: RolloutMove, { input }: Occasion): RolloutMove => {
  const instead = input.type === 'over' ? 'undone' : 'withdrawing';
  return {
    ...move,
    ...(to && { to: to === 'reverting' ? instead : to }),
    ...(undoing && { undoing: withoutWayBack(undoing) }),
  };
};

/** One input to one rollout. */
export const rolled = (situation: Occasion): RolloutMove => {
  const move = byTable(situation);
  const { rollout, deployment, hasWayBack } = situation;
  if (hasWayBack || deployment.blueGreen === undefined || !isSwitching(rollout)) return move;
  return oneWay(move, situation);
};
