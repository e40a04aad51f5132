// The inputs of the rollout table, and the facts that its cells may read. The candidate is the new run of a
// rollout.
import type { ServiceError } from '../domain/errors/error.ts';
import type { CommandOutcome, ProbeResult } from '../domain/event.ts';
import type { HealthProgress } from '../domain/service/service-state.ts';
import type { ServiceId } from '../domain/ids.ts';
import type { DownReason } from '../domain/service/service.ts';
import type { RolloutFacts, RolloutStep, Undoing } from '../domain/service/rollout.ts';
import type { Deployment } from '../domain/declared/spec.ts';
import type { Instant } from '../domain/time.ts';

export type SkippedBy = Extract<DownReason, { tag: 'skipped' }>['by'];

export type RolloutInput =
  | { readonly type: 'ready' }
  /** The candidate exited or became unhealthy. Its remaining processes are being stopped. */
  | { readonly type: 'lost' }
  /** No process of the rollout's second run is left. `error`: why that run ended. */
  | { readonly type: 'over'; readonly error: ServiceError }
  /** The second run was skipped: no process was ever started for it. */
  | { readonly type: 'over'; readonly skipped: SkippedBy }
  | { readonly type: 'verified'; readonly result: ProbeResult }
  /** The `switch_command` that switches the traffic, or switches it back, has ended. */
  | { readonly type: 'switched'; readonly outcome: CommandOutcome }
  /** The old run has been kept for `grace_period` after all checks passed. */
  | { readonly type: 'elapsed' }
  /** The rollout must be undone: the service stops, restarts, or has a failed dependency. */
  | { readonly type: 'abort' };

export type RolloutInputType = RolloutInput['type'];
type RolloutInputOf<I extends RolloutInputType> = Extract<RolloutInput, { type: I }>;

export interface RolloutSituation<I extends RolloutInputType> {
  readonly service: ServiceId;
  readonly rollout: RolloutFacts;
  /** The deployment section of the candidate's declaration. */
  readonly deployment: Deployment;
  /** True if the old run has a blue/green slot to which the traffic can be switched back. */
  readonly hasWayBack: boolean;
  readonly input: RolloutInputOf<I>;
  readonly at: Instant;
}

/** The result of a cell of the rollout table: the next step or the end. Empty if nothing changes. */
export interface RolloutMove {
  readonly to?: RolloutStep | 'done' | 'undone';
  readonly check?: HealthProgress;
  readonly undoing?: Undoing;
}

export const STAY: RolloutMove = {};

/** Returns the current step of the rollout. */
export const stepOf = ({ stages }: Pick<RolloutFacts, 'stages'>): RolloutStep =>
  stages.at(-1)?.step ?? stages[0].step;

/** True while the traffic is being switched back to the old run. */
export const isReverting = (rollout: Pick<RolloutFacts, 'stages'>): boolean =>
  stepOf(rollout) === 'reverting';

/** True if the rollout is undone because it was cancelled, and not because its candidate failed. */
export const isCalledOff = (undoing: Undoing | undefined): boolean =>
  undoing !== undefined && (undoing.tag === 'called-off' || undoing.calledOff === true);

const SWITCHING: ReadonlySet<RolloutStep> = new Set(['switching', 'confirming', 'watching']);

/** True if `switch_command` may have sent the traffic to the candidate. */
export const isSwitching = (rollout: Pick<RolloutFacts, 'stages'>): boolean =>
  SWITCHING.has(reachedStep(rollout));

/** Returns when the current step of the rollout began. */
export const stepSince = ({ stages }: Pick<RolloutFacts, 'stages'>): Instant =>
  stages.at(-1)?.at ?? stages[0].at;

const BACKWARDS: ReadonlySet<RolloutStep> = new Set(['reverting', 'withdrawing']);

/**
 * Returns the last step that the rollout reached before it was undone. If the rollout failed, it failed in
 * this step.
 */
export const reachedStep = ({ stages }: Pick<RolloutFacts, 'stages'>): RolloutStep =>
  stages.findLast(({ step }) => !BACKWARDS.has(step))?.step ?? stages[0].step;
