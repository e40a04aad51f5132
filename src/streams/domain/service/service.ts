// A service: the fields of its current run, and fields of the service itself. Plain JSON.
import type { ServiceSpec } from '../declared/spec.ts';
import type { RequestId, RunId } from '../ids.ts';
import type { Child, Grant, PastChild } from './child.ts';
import type { ProcessRef } from './process.ts';
import type { RolloutFacts, RolloutRecord } from './rollout.ts';
import type { Run } from './service-run.ts';
import type { Instant } from '../time.ts';

/** Live processes of an earlier run, found by their run tag. They are killed before the next run begins. */
export interface LeftoverRun {
  readonly run: RunId;
  /** The main process of the earlier run, or its oldest process still alive. */
  readonly process: ProcessRef;
  /** When the kill of the leftover processes began. */
  readonly since: Instant;
  /** The leftover processes that were alive at the last process scan. */
  readonly alive: readonly ProcessRef[];
  /** Present if processes still live after `stop_verify_secs` (ERR0112). */
  readonly unverified?: true;
}

export type { HealthProgress } from './service-state.ts';
export type { CronRun, LastExit, LastFailure, Schedule, Transition } from './service-run.ts';
export type { DownReason, In, ServiceState, StopCause, StopPhase, Tag } from './service-state.ts';

/**
 * A rollout and its second run. The second run is the new run until the step `retiring`. From then on, it is
 * the old run.
 */
export interface Rollout extends RolloutFacts {
  readonly other: Run;
}

/**
 * The fields of a service itself. They do not change when the new run of a rollout becomes the current run.
 */
export interface ServiceFacts {
  /** A newer declaration, which the next start uses. */
  readonly revised?: ServiceSpec;
  /**
   * Digest of a declaration that is not tried again before an apply or restart: its rollout failed, or a user
   * rolled back from it.
   */
  readonly rejected?: string;
  /** The last declaration before the present one that worked. A rollback returns to it. */
  readonly previous?: ServiceSpec;
  /**
   * Digest of the declaration that a user rolled back to. `rejected` is then the digest of the declaration
   * that the rollback replaced.
   */
  readonly rolledBack?: string;
  /** The leftover runs of the service. No run begins before their processes have ended. */
  readonly remnants?: readonly LeftoverRun[];
  /** Live children that runs of the service requested, oldest first. */
  readonly children?: readonly Child[];
  /** The last 50 ended children, oldest first. */
  readonly pastChildren?: readonly PastChild[];
  /** Requests for children granted in the last second. */
  readonly grants?: readonly Grant[];
  /**
   * The memory of the service and its children at the last measurement, in bytes. Only with `total_memory`.
   */
  readonly treeMemory?: number;
  /** The watched file that changed last. The restart or signal because of it happens at `due`. */
  readonly changedFile?: { readonly file: string; readonly due: Instant };
  /** The slot last written to or read from `state_path`. If the file differs, another program changed it. */
  readonly slotKept?: string;
  /** The rollout in progress: a new run replaces the old one. */
  readonly rollout?: Rollout;
  /** The last ten rollouts, oldest first. */
  readonly rollouts?: readonly RolloutRecord[];
  /**
   * True if the service must start again later: when the next supervisor begins, or when the service is
   * declared again during its removal.
   */
  readonly resume: boolean;
  /** True if the service is removed as soon as it is down. */
  readonly leaving: boolean;
  /**
   * `pending`: the service was started together with others and is not ready. The number of pending services
   * is limited.
   */
  readonly gate: 'none' | 'pending';
  /** The requests that wait for the outcome of this service. */
  readonly awaitedBy: readonly RequestId[];
}

/** A service; the fields inherited from `Run` are those of its current run. */
export interface Service extends Run, ServiceFacts {}

/** A service, or the second run of a rollout, which does not have the fields of the service itself. */
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
