// The state of a service: the fields of its current run, and facts that hold for any run. All fields can be
// stored as JSON.
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
  /** The leader of that run, or its oldest surviving process. */
  readonly process: ProcessRef;
  /** When the kill of these processes began. */
  readonly since: Instant;
  /** The living processes of that run at the last process scan. */
  readonly alive: readonly ProcessRef[];
  /** Present if processes are still alive after `stop_verify_secs` (ERR0112). */
  readonly unverified?: true;
}

export type { HealthProgress } from './service-state.ts';
export type { CronRun, LastExit, LastFailure, Schedule, Transition } from './service-run.ts';
export type { DownReason, In, ServiceState, StopCause, StopPhase, Tag } from './service-state.ts';

/** A rollout under way, with the other run: the candidate, or from the step `retiring` on the old run. */
export interface Rollout extends RolloutFacts {
  readonly other: Run;
}

/**
 * The facts that belong to a service and not to one of its runs. They stay when the candidate of a rollout
 * becomes the current run.
 */
export interface ServiceFacts {
  /** A newer declaration, which the next start uses. */
  readonly revised?: ServiceSpec;
  /**
   * The digest of a declaration whose rollout failed. Only an apply or a restart of this service tries it
   * again.
   */
  readonly rejected?: string;
  /** The last good declaration before the present one, for a rollback. */
  readonly previous?: ServiceSpec;
  /**
   * The digest of the declaration that a user has returned to by rollback. `rejected` is then a declaration
   * that did not fail, but must not be applied automatically.
   */
  readonly rolledBack?: string;
  /** Leftover processes of earlier runs: no run begins before they have ended. */
  readonly remnants?: readonly LeftoverRun[];
  /** The living children that any run of the service requested, oldest first. */
  readonly children?: readonly Child[];
  /** The last 50 children whose runs are over, oldest first. */
  readonly pastChildren?: readonly PastChild[];
  /** Requests for children that were granted in the last second. */
  readonly grants?: readonly Grant[];
  /**
   * The memory of the service and its children at the last measurement, bytes; measured only if
   * `total_memory` limits it.
   */
  readonly treeMemory?: number;
  /**
   * The slot last known to be in the `state_path` file. As long as it matches, no other program has changed
   * the file.
   */
  readonly slotKept?: string;
  /** Present during a rollout, while a new run replaces the old one. */
  readonly rollout?: Rollout;
  /** The last ten rollouts, oldest first. */
  readonly rollouts?: readonly RolloutRecord[];
  /**
   * True if the next supervisor must start the service, because its desired state was up when the shutdown
   * began. Also true if its desired state was up when its removal began: it starts again if it is declared
   * again before it is down.
   */
  readonly resume: boolean;
  /** True if the service is removed from the service table once it is down. */
  readonly leaving: boolean;
  /**
   * `pending`: the service was started together with others and is not ready yet. It waits for the gate or
   * has a place there.
   */
  readonly gate: 'none' | 'pending';
  /** The requests that wait for this service. */
  readonly awaitedBy: readonly RequestId[];
}

/** A service. The fields of `Run` are those of its current run. */
export interface Service extends Run, ServiceFacts {}

/**
 * Either a service (by its current run), or the other run of a rollout alone, without the facts of its
 * service.
 */
export type ServiceOrRun = Run & Partial<ServiceFacts>;

/** Returns a run in its initial state: down, never started. */
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

/** Returns a service in its initial state: down, never started. */
export const freshService = (spec: ServiceSpec): Service => ({
  ...freshRun(spec),
  resume: false,
  leaving: false,
  gate: 'none',
  awaitedBy: [],
});
