// A service: the fields of its current run, and facts about the service itself. Plain JSON.
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

/** A rollout with its second run: the new one, or from the step `retiring` on the old one. */
export interface Rollout extends RolloutFacts {
  readonly other: Run;
}

/** The facts of a service itself, which stay when the new run of a rollout becomes the current one. */
export interface ServiceFacts {
  /** A newer declaration, which the next start uses. */
  readonly revised?: ServiceSpec;
  /** Digest of a declaration with a failed rollout. Only an apply or restart tries it again. */
  readonly rejected?: string;
  /** The last declaration that worked before the present one, for a rollback. */
  readonly previous?: ServiceSpec;
  /** Digest of the declaration that a user rolled back to; `rejected` then is the one the user left. */
  readonly rolledBack?: string;
  /** Leftover processes of earlier runs: no run begins before they end. */
  readonly remnants?: readonly LeftoverRun[];
  /** Live children that runs of the service requested, oldest first. */
  readonly children?: readonly Child[];
  /** The last 50 ended children, oldest first. */
  readonly pastChildren?: readonly PastChild[];
  /** Requests for children granted in the last second. */
  readonly grants?: readonly Grant[];
  /** Memory of the service and its children at the last measurement, bytes; only with `total_memory`. */
  readonly treeMemory?: number;
  /** The watched file that changed last, if that has had no effect yet. `due`: when it has one. */
  readonly changedFile?: { readonly file: string; readonly due: Instant };
  /** The slot last written to or read from `state_path`. If the file differs, another program changed it. */
  readonly slotKept?: string;
  /** The rollout in progress: a new run replaces the old one. */
  readonly rollout?: Rollout;
  /** The last ten rollouts, oldest first. */
  readonly rollouts?: readonly RolloutRecord[];
  /** The next supervisor starts the service, and so does a declaration that returns during its removal. */
  readonly resume: boolean;
  /** True if the service is removed as soon as it is down. */
  readonly leaving: boolean;
  /** `pending`: started together with others and not ready; only so many may start at once. */
  readonly gate: 'none' | 'pending';
  /** The requests that wait for this service. */
  readonly awaitedBy: readonly RequestId[];
}

/** A service; the fields inherited from `Run` are those of its current run. */
export interface Service extends Run, ServiceFacts {}

/** A service, or the second run of a rollout, which has no facts of the service. */
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
