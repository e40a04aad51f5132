// The state of a service: the fields of its current run, and facts about the service itself. All fields can
// be stored as JSON.
import type { ServiceSpec } from '../declared/spec.ts';
import type { RequestId, RunId } from '../ids.ts';
import type { Child, Grant, PastChild } from './child.ts';
import type { ProcessRef } from './process.ts';
import type { RolloutFacts, RolloutRecord } from './rollout.ts';
import type { Run } from './service-run.ts';
import type { Instant } from '../time.ts';

/**
 * Processes of an earlier run that are still alive, found by their run tag. They are killed before the next
 * run begins.
 */
export interface LeftoverRun {
  readonly run: RunId;
  /** The main process of the earlier run, or its oldest process that is still alive. */
  readonly process: ProcessRef;
  /** When the supervisor began to kill the processes of the earlier run. */
  readonly since: Instant;
  /** The processes of the earlier run that were alive at the last process scan. */
  readonly alive: readonly ProcessRef[];
  /** Present if processes are still alive after `stop_verify_secs` (ERR0112). */
  readonly unverified?: true;
}

export type { HealthProgress } from './service-state.ts';
export type { CronRun, LastExit, LastFailure, Schedule, Transition } from './service-run.ts';
export type { DownReason, In, ServiceState, StopCause, StopPhase, Tag } from './service-state.ts';

/** A rollout in progress, with its other run: the new run, or from the step `retiring` on the old run. */
export interface Rollout extends RolloutFacts {
  readonly other: Run;
}

/**
 * The facts that belong to a service and not to one of its runs. They stay when the candidate of a rollout
 * becomes the current run.
 */
export interface ServiceFacts {
  /** A newer declaration that the next start of the service uses. */
  readonly revised?: ServiceSpec;
  /**
   * The digest of a declaration that failed to roll out. It is not tried again before an apply or a restart
   * of this service.
   */
  readonly rejected?: string;
  /** The last declaration that worked before the present one; a rollback returns to it. */
  readonly previous?: ServiceSpec;
  /**
   * The digest of the declaration to which a user has rolled back. `rejected` then means the declaration that
   * the user left: it did not fail, but must not be applied automatically.
   */
  readonly rolledBack?: string;
  /** Leftover processes of earlier runs: no run begins before they have ended. */
  readonly remnants?: readonly LeftoverRun[];
  /** The living children that runs of the service requested, oldest first. */
  readonly children?: readonly Child[];
  /** The last 50 children that have ended, oldest first. */
  readonly pastChildren?: readonly PastChild[];
  /** Requests for children that were granted in the last second. */
  readonly grants?: readonly Grant[];
  /**
   * The memory of the service and its children at the last measurement, bytes. It is measured only if
   * `total_memory` limits it.
   */
  readonly treeMemory?: number;
  /**
   * The slot that the supervisor last wrote to or read from the `state_path` file. If the file has another
   * one, another program has changed it.
   */
  readonly slotKept?: string;
  /** Present during a rollout: a new run replaces the old one. */
  readonly rollout?: Rollout;
  /** The last ten rollouts, oldest first. */
  readonly rollouts?: readonly RolloutRecord[];
  /**
   * True if the next supervisor must start the service, because it should have been up when the shutdown
   * began. Also true if it should have been up when its removal began: it starts again if it is declared
   * again before it is down.
   */
  readonly resume: boolean;
  /** True if the service is removed from the service table as soon as it is down. */
  readonly leaving: boolean;
  /**
   * `pending`: the service was started together with others and is not ready yet. Only a limited number of
   * such services may start at once.
   */
  readonly gate: 'none' | 'pending';
  /** The requests that are answered when this service has reached its state. */
  readonly awaitedBy: readonly RequestId[];
}

/** A service. The fields inherited from `Run` are those of its current run. */
export interface Service extends Run, ServiceFacts {}

/**
 * A service (with its current run), or only the other run of a rollout, which has no facts of the service.
 */
export type ServiceOrRun = Run & Partial<ServiceFacts>;

/** Returns a run in its initial state: down and never started. */
export const freshRun = (spec: ServiceSpec): Run => ({
  spec,
  wanted: 'down',
  actual: { tag: 'down', why: { tag: 'new' } },
  runs: 0,
  attempts: 0,
  insisted: false,
  recovering: false,
  schedule: { runs: [] },
  history: [],
});

/** Returns a service in its initial state: down and never started. */
export const freshService = (spec: ServiceSpec): Service => ({
  ...freshRun(spec),
  resume: false,
  leaving: false,
  gate: 'none',
  awaitedBy: [],
});
