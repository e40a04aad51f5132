// A rollout replaces the run of a service by a new run, the candidate, while the old run continues. This file
// has the facts of a rollout except its two runs. Plain JSON.
import type { Evidence, ServiceError } from '../errors/error.ts';
import type { RunId } from '../ids.ts';
import type { HealthProgress } from './service-state.ts';
import type { Instant } from '../time.ts';

export type Strategy = 'immediate' | 'rolling' | 'blue-green';

/**
 * The steps of a rollout:
 * - `starting`: the candidate is not ready yet.
 * - `verifying`: `candidate_health_check` probes the candidate.
 * - `switching`: `switch_command` runs.
 * - `confirming`: `switch_verify` probes the switched traffic.
 * - `watching`: `grace_period` passes.
 * - `retiring`: the candidate is the current run, and the old run is stopped.
 * - `reverting`: the switch is undone.
 * - `withdrawing`: the candidate is stopped, and the old run stays.
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

/** The texts for users that say what happens in each step. */
export const STEP_WORDS: Readonly<Record<RolloutStep, string>> = {
  starting: 'the candidate starts',
  verifying: 'the candidate is being verified',
  switching: 'the switch command runs',
  confirming: 'the switch is being verified',
  watching: 'the candidate is watched',
  retiring: 'the old run stops',
  reverting: 'the switch is being taken back',
  withdrawing: 'the candidate is stopped',
};

/** The texts for users that say what has been achieved at the end of each step. */
export const DONE_WORDS: Readonly<Record<RolloutStep, string>> = {
  starting: 'the candidate is ready',
  verifying: 'the candidate is verified',
  switching: 'the switch command is done',
  confirming: 'the switch is verified',
  watching: 'the candidate has outlived its grace period',
  retiring: 'the old run has stopped',
  reverting: 'the switch is taken back',
  withdrawing: 'the candidate has stopped',
};

export interface Stage {
  readonly step: RolloutStep;
  readonly at: Instant;
}

/** Why a rollout is undone: it failed, or another command cancelled it. */
export type Undoing =
  | {
      readonly tag: 'failed';
      readonly error: ServiceError;
      /** Present if a command had cancelled the rollout before it failed. */
      readonly calledOff?: true;
    }
  | { readonly tag: 'called-off' };

/** A rollout in progress, without its second run. */
export interface RolloutFacts {
  readonly strategy: Exclude<Strategy, 'immediate'>;
  /** Every step of the rollout so far; the last one is the present step. */
  readonly stages: readonly [Stage, ...Stage[]];
  readonly old: RunId;
  /** The run number of the candidate, once it has started. */
  readonly candidate?: RunId;
  /** The results of the probes in the present step, `verifying` or `confirming`. */
  readonly check: HealthProgress;
  /** The last output of the candidate. Empty until all processes of the candidate have ended. */
  readonly evidence: Evidence;
  readonly undoing?: Undoing;
  /** Present if a restart was requested during the rollout: another rollout follows. */
  readonly again?: { readonly insisted: boolean; readonly by?: string };
}

/** A rollout that has ended. */
export interface RolloutRecord {
  readonly strategy: Exclude<Strategy, 'immediate'>;
  readonly outcome: 'done' | 'failed' | 'called-off';
  readonly error?: ServiceError;
  readonly stages: readonly [Stage, ...Stage[]];
  readonly ended: Instant;
  readonly old: RunId;
  readonly candidate?: RunId;
  /** The slot with the traffic after the rollout. */
  readonly slot?: string;
  /** Present if the candidate had another declaration than the old run. */
  readonly ofChange?: true;
}
