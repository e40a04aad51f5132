// A rollout: a service is brought to a new run while the old one goes on. What is known of it beside the two runs
// themselves. Everything here survives JSON.
import type { Evidence, ServiceError } from '../errors/error.ts';
import type { RunId } from '../ids.ts';
import type { HealthProgress } from './health.ts';
import type { Instant } from '../time.ts';

/** How a service is brought to a new run. */
export type Strategy = 'immediate' | 'rolling' | 'blue-green';

/**
 * `starting`: the candidate is on its way to readiness. `verifying`: `candidate_health_check`. `switching`: `switch_command`.
 * `confirming`: `switch_verify`. `watching`: `grace_period`. `retiring`: the candidate is the service, the old run stops.
 * `reverting`: the switch is taken back. `withdrawing`: the candidate is brought to its end, the old run stays.
 */
export type RolloutStep =
  | 'starting'
  | 'verifying'
  | 'switching'
  | 'confirming'
  | 'watching'
  | 'retiring'
  | 'reverting'
  | 'withdrawing';

/** A step and when it began. */
export interface Stage {
  readonly step: RolloutStep;
  readonly at: Instant;
}

/** Why a rollout is taken back: it failed, or somebody wants something else. */
export type Undoing =
  | {
      readonly tag: 'failed';
      readonly error: ServiceError;
      /** Somebody wanted something else: what failed is the way back. */
      readonly calledOff?: true;
    }
  | { readonly tag: 'called-off' };

/** A rollout under way, without its second run. */
export interface RolloutFacts {
  readonly strategy: Exclude<Strategy, 'immediate'>;
  /** Every step so far with its beginning, the present one last. */
  readonly stages: readonly [Stage, ...Stage[]];
  readonly old: RunId;
  /** Known once the candidate has begun. */
  readonly candidate?: RunId;
  /** How the probes of the present step are doing (`verifying`, `confirming`). */
  readonly check: HealthProgress;
  /** What the candidate printed last, once nobody of it is left. */
  readonly evidence: Evidence;
  readonly undoing?: Undoing;
  /** A restart was asked for in the middle of it: the next rollout begins when this one is over. */
  readonly again?: { readonly insisted: boolean };
}

/** A rollout that is over. */
export interface RolloutRecord {
  readonly strategy: Exclude<Strategy, 'immediate'>;
  readonly outcome: 'done' | 'failed' | 'called-off';
  readonly error?: ServiceError;
  readonly stages: readonly [Stage, ...Stage[]];
  readonly ended: Instant;
  readonly old: RunId;
  readonly candidate?: RunId;
  /** Which slot the service has now. */
  readonly slot?: string;
}
