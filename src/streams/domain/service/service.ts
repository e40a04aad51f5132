// The state of a service: its current run, and the facts that hold whichever run is the current one. All of
// it survives JSON.
import type { ServiceSpec } from '../declared/spec.ts';
import type { RequestId, RunId } from '../ids.ts';
import type { Child, Grant, PastChild } from './child.ts';
import type { ProcessRef } from './process.ts';
import type { RolloutFacts, RolloutRecord } from './rollout.ts';
import type { Run } from './service-run.ts';
import type { Instant } from '../time.ts';

/**
 * Processes of a run that should be over, found by their mark. They are killed before the next run begins.
 */
export interface LeftoverRun {
  readonly run: RunId;
  /** Its leader, or the oldest surviving process. */
  readonly process: ProcessRef;
  /** When the kill began. */
  readonly since: Instant;
  /** As last seen. */
  readonly alive: readonly ProcessRef[];
  /** Processes are still alive after `stop_verify_secs` (ERR0112). */
  readonly unverified?: true;
}

export type { HealthProgress } from './service-state.ts';
export type { CronRun, LastExit, LastFailure, Schedule, Transition } from './service-run.ts';
export type { DownReason, In, ServiceState, StopCause, StopPhase, Tag } from './service-state.ts';

/** A rollout under way, with its other run: the candidate, and from `retiring` on the old run. */
export interface Rollout extends RolloutFacts {
  readonly other: Run;
}

/**
 * What belongs to a service and not to one of its runs. These facts stay when the candidate of a rollout
 * becomes the current run.
 */
export interface ServiceFacts {
  /** A newer declaration, taken up when the service next starts. */
  readonly revised?: ServiceSpec;
  /**
   * The digest of the declaration that failed to roll out. Only an apply or a restart of this service takes
   * it up.
   */
  readonly rejected?: string;
  /** The last good declaration before the present one, for a rollback. */
  readonly previous?: ServiceSpec;
  /** The digest of the declaration a user has rolled back to: `rejected` did not fail, but is held back. */
  readonly rolledBack?: string;
  /** Processes left from earlier runs: no run begins before they have ended. */
  readonly remnants?: readonly LeftoverRun[];
  /** The living children that any run of it requested, oldest first. */
  readonly children?: readonly Child[];
  /** The last 50 children that are over, oldest first. */
  readonly pastChildren?: readonly PastChild[];
  /** Spawns granted in the last second. */
  readonly grants?: readonly Grant[];
  /** The memory of the service and its children as last measured, bytes; only if `total_memory` limits it. */
  readonly treeMemory?: number;
  /**
   * The last known content of the `state_path` file; as long as it matches, no other program has written the
   * file.
   */
  readonly slotKept?: string;
  /** Present while two runs exist and one replaces the other. */
  readonly rollout?: Rollout;
  /** The last ten rollouts, oldest first. */
  readonly rollouts?: readonly RolloutRecord[];
  /**
   * The service was wanted up when the supervisor was told to end: the next one starts it. Or it was wanted
   * up when its removal began: it starts if it is declared again in time.
   */
  readonly resume: boolean;
  /** The service is removed from the service table once it is down. */
  readonly leaving: boolean;
  /**
   * `pending`: it was started with others and is not ready yet. It queues for the gate or occupies a place
   * there.
   */
  readonly gate: 'none' | 'pending';
  /** Requests that wait for this service. */
  readonly awaitedBy: readonly RequestId[];
}

/** The fields of `Run` are those of the current run. */
export interface Service extends Run, ServiceFacts {}

/** A service by its current run, or another run of one: none of the service's facts is known then. */
export type ServiceOrRun = Run & Partial<ServiceFacts>;

/** Returns a run that no command has touched yet. */
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

/** Returns a service that no command has touched yet. */
export const freshService = (spec: ServiceSpec): Service => ({
  ...freshRun(spec),
  resume: false,
  leaving: false,
  gate: 'none',
  awaitedBy: [],
});
