// What the table of rollouts is indexed by, and what a cell may look at.
import type { ServiceError } from '../domain/errors/error.ts';
import type { CommandOutcome, ProbeResult } from '../domain/event.ts';
import type { HealthProgress } from '../domain/service/health.ts';
import type { ServiceId } from '../domain/ids.ts';
import type { DownReason } from '../domain/service/service.ts';
import type { RolloutFacts, RolloutStep, Undoing } from '../domain/service/rollout.ts';
import type { Deployment } from '../domain/declared/spec.ts';
import type { Instant } from '../domain/time.ts';

export type SkippedBy = Extract<DownReason, { tag: 'skipped' }>['by'];

export type RolloutInput =
  /** The candidate is ready. */
  | { readonly type: 'ready' }
  /** The candidate ended or lost its health; what is left of it is being cleared. */
  | { readonly type: 'lost' }
  /** Nothing is left of the second run. `error`: how it came to that by itself. */
  | { readonly type: 'over'; readonly error: ServiceError }
  /** It was left out: nothing of it ever ran. */
  | { readonly type: 'over'; readonly skipped: SkippedBy }
  | { readonly type: 'verified'; readonly result: ProbeResult }
  /** `switch_command` ended, there or back. */
  | { readonly type: 'switched'; readonly outcome: CommandOutcome }
  /** `grace_period` is spent. */
  | { readonly type: 'elapsed' }
  /** Somebody wants something else: the service is to stop, falls, or starts anew. */
  | { readonly type: 'abort' };

export type RolloutInputType = RolloutInput['type'];
type RolloutInputOf<I extends RolloutInputType> = Extract<RolloutInput, { type: I }>;

export interface RolloutSituation<I extends RolloutInputType> {
  readonly service: ServiceId;
  readonly rollout: RolloutFacts;
  /** The candidate's. */
  readonly deployment: Deployment;
  /** The old run has a slot: the switch can be taken back. */
  readonly hasWayBack: boolean;
  readonly input: RolloutInputOf<I>;
  readonly at: Instant;
}

/** What becomes of it: another step, or its end. Nothing given: nothing changes. */
export interface RolloutMove {
  readonly to?: RolloutStep | 'done' | 'undone';
  readonly check?: HealthProgress;
  readonly undoing?: Undoing;
}

export const STAY: RolloutMove = {};

/** The present step. */
export const stepOf = ({ stages }: Pick<RolloutFacts, 'stages'>): RolloutStep =>
  stages.at(-1)?.step ?? stages[0].step;

/** The switch is being taken back. */
export const isReverting = (rollout: Pick<RolloutFacts, 'stages'>): boolean =>
  stepOf(rollout) === 'reverting';

/** Nothing is wrong with what was on its way. */
export const isCalledOff = (undoing: Undoing | undefined): boolean =>
  undoing !== undefined && (undoing.tag === 'called-off' || undoing.calledOff === true);

const SWITCHING: ReadonlySet<RolloutStep> = new Set(['switching', 'confirming', 'watching']);

/** The traffic of a blue/green service may go to the candidate. */
export const isSwitching = (rollout: Pick<RolloutFacts, 'stages'>): boolean =>
  SWITCHING.has(reachedStep(rollout));

/** When the present step began. */
export const stepSince = ({ stages }: Pick<RolloutFacts, 'stages'>): Instant =>
  stages.at(-1)?.at ?? stages[0].at;

const BACKWARDS: ReadonlySet<RolloutStep> = new Set(['reverting', 'withdrawing']);

/** The last step that led on: where it went wrong, if it went wrong. */
export const reachedStep = ({ stages }: Pick<RolloutFacts, 'stages'>): RolloutStep =>
  stages.findLast(({ step }) => !BACKWARDS.has(step))?.step ?? stages[0].step;
