// The inputs of the rollout table, and what a cell of the table may read.
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
  /** The candidate is ready. */
  | { readonly type: 'ready' }
  /** The candidate exited or became unhealthy. Its remaining processes are being stopped. */
  | { readonly type: 'lost' }
  /** No process of the other run is left. `error`: why it ended. */
  | { readonly type: 'over'; readonly error: ServiceError }
  /** The other run was skipped: no process was ever started for it. */
  | { readonly type: 'over'; readonly skipped: SkippedBy }
  | { readonly type: 'verified'; readonly result: ProbeResult }
  /** `switch_command` ended, after the switch or after its reversal. */
  | { readonly type: 'switched'; readonly outcome: CommandOutcome }
  /** `grace_period` is over. */
  | { readonly type: 'elapsed' }
  /** Another command or event takes precedence: the service must stop, restarts or is a casualty. */
  | { readonly type: 'abort' };

export type RolloutInputType = RolloutInput['type'];
type RolloutInputOf<I extends RolloutInputType> = Extract<RolloutInput, { type: I }>;

export interface RolloutSituation<I extends RolloutInputType> {
  readonly service: ServiceId;
  readonly rollout: RolloutFacts;
  /** The deployment section of the candidate's declaration. */
  readonly deployment: Deployment;
  /** True if the old run has a slot, so that the switch can be reverted. */
  readonly hasWayBack: boolean;
  readonly input: RolloutInputOf<I>;
  readonly at: Instant;
}

/** What a cell returns: the next step or the end of the rollout. An empty object changes nothing. */
export interface RolloutMove {
  readonly to?: RolloutStep | 'done' | 'undone';
  readonly check?: HealthProgress;
  readonly undoing?: Undoing;
}

export const STAY: RolloutMove = {};

/** Returns the current step. */
export const stepOf = ({ stages }: Pick<RolloutFacts, 'stages'>): RolloutStep =>
  stages.at(-1)?.step ?? stages[0].step;

/** True while the switch is being reverted. */
export const isReverting = (rollout: Pick<RolloutFacts, 'stages'>): boolean =>
  stepOf(rollout) === 'reverting';

/** True if the rollout was cancelled and did not fail: its candidate had no fault. */
export const isCalledOff = (undoing: Undoing | undefined): boolean =>
  undoing !== undefined && (undoing.tag === 'called-off' || undoing.calledOff === true);

const SWITCHING: ReadonlySet<RolloutStep> = new Set(['switching', 'confirming', 'watching']);

/** True if `switch_command` may have sent the traffic of a blue/green service to the candidate. */
export const isSwitching = (rollout: Pick<RolloutFacts, 'stages'>): boolean =>
  SWITCHING.has(reachedStep(rollout));

/** Returns when the current step began. */
export const stepSince = ({ stages }: Pick<RolloutFacts, 'stages'>): Instant =>
  stages.at(-1)?.at ?? stages[0].at;

const BACKWARDS: ReadonlySet<RolloutStep> = new Set(['reverting', 'withdrawing']);

/** Returns the last step before the rollout was undone. A failed rollout failed in that step. */
export const reachedStep = ({ stages }: Pick<RolloutFacts, 'stages'>): RolloutStep =>
  stages.findLast(({ step }) => !BACKWARDS.has(step))?.step ?? stages[0].step;
