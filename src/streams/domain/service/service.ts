// The state of a service: the desired state (`wanted`), the current one (`actual`), and what must be
// remembered. A tag carries only what is true in it. All of it survives JSON.
import type { ServiceError } from '../errors/error.ts';
import type { CauseFacts } from './cause.ts';
import type { Child, Grant, PastChild } from './child.ts';
import type { ExitStatus } from './exit.ts';
import type { RequestId } from '../ids.ts';
import type { Incident } from './incident.ts';
import type { Lane } from './process.ts';
import type { Remnant } from './remnant.ts';
import type { RolloutFacts, RolloutRecord } from './rollout.ts';
import type { DownReason, ServiceState, Tag } from './state.ts';
import type { Skipped } from './skipped.ts';
import type { ServiceSpec } from '../declared/spec.ts';
import type { Instant } from '../time.ts';

export type { HealthProgress } from './health.ts';
export type { DownReason, In, ServiceState, StopCause, StopPhase, Tag } from './state.ts';

export interface LastExit {
  readonly status: ExitStatus;
  readonly at: Instant;
}

/** The newest failure of a service; it is never cleared. */
export interface LastFailure {
  readonly at: Instant;
  readonly error: ServiceError;
  /** The exit status of the process, if there was one. */
  readonly exit?: ExitStatus;
  /**
   * When the process exited. The run is over later, when its whole tree has ended. Absent: at the same
   * moment.
   */
  readonly exitedAt?: Instant;
}

/** One line of `inspect`'s history: what happened, and the resulting state. */
export interface Transition {
  readonly at: Instant;
  readonly from: Tag;
  readonly to: Tag;
  /** The reason, when `to` is `down`. */
  readonly down?: DownReason['tag'];
  /** The event that caused it, as the state table names it. */
  readonly cause: string;
  readonly facts?: CauseFacts;
}

/**
 * One run of a scheduled service, or a due time without a run. `overlap`: a run was still alive; `missed`: an
 * earlier one still waited; `skipped`: the skip command said so. `unknown`: the exit status is not known.
 */
export interface CronRun {
  readonly due: Instant;
  readonly result:
    'running' | 'success' | 'failure' | 'timeout' | 'overlap' | 'missed' | 'skipped' | 'stopped' | 'unknown';
  readonly startedAt?: Instant;
  /** When the last process of its tree ended. */
  readonly endedAt?: Instant;
  readonly exit?: ExitStatus;
  /** When its leader exited: earlier than `endedAt`. */
  readonly exitedAt?: Instant;
  /** Present if the run failed. */
  readonly error?: ServiceError;
  readonly peakMemoryBytes?: number;
}

/** The schedule of a cron service: when it is due next, and its last 50 runs, oldest first. */
export interface Schedule {
  readonly due?: Instant;
  /** The due time for which no run has begun: the service waits for dependencies or the gate. */
  readonly rung?: Instant;
  readonly runs: readonly CronRun[];
}

/** A rollout under way, with its second run: the candidate, and from `retiring` on the old run. */
export interface Rollout extends RolloutFacts {
  readonly other: Service;
}

export interface Service {
  readonly spec: ServiceSpec;
  /** A newer declaration, taken up when the service next starts. */
  readonly revised?: ServiceSpec;
  /**
   * The digest of the declaration that failed to roll out. Only an apply or a restart of this service takes
   * it up.
   */
  readonly rejected?: string;
  /** The digest of the newest declaration with a run that became ready. */
  readonly proven?: string;
  /** The last good declaration before the present one, for a rollback. */
  readonly previous?: ServiceSpec;
  /** The digest of the declaration a user has rolled back to: `rejected` did not fail, but is held back. */
  readonly rolledBack?: string;
  readonly wanted: 'up' | 'down';
  readonly actual: ServiceState;
  /** Runs begun so far; during a run, its number. */
  readonly runs: number;
  /** The highest run number given to another run of the service; no number is given twice. */
  readonly numbered?: number;
  /** Processes left from earlier runs: no run begins before they have ended. */
  readonly remnants?: readonly Remnant[];
  /** The living children that it requested, oldest first. */
  readonly children?: readonly Child[];
  /** The last 50 children that are over, oldest first. */
  readonly pastChildren?: readonly PastChild[];
  /** Spawns granted in the last second. */
  readonly grants?: readonly Grant[];
  /** The memory of the service and its children as last measured, bytes; only if `total_memory` limits it. */
  readonly treeMemory?: number;
  /** The pair of FIFOs the run writes into; the first, unless another run of the service has it. */
  readonly lane?: Lane;
  /** The blue/green slot of its run; it is kept between runs. */
  readonly slot?: string;
  /**
   * The last known content of the `state_path` file; as long as it matches, no other program has written the
   * file.
   */
  readonly slotKept?: string;
  /** Present while two runs exist and one replaces the other. */
  readonly rollout?: Rollout;
  /** The last ten rollouts, oldest first. */
  readonly rollouts?: readonly RolloutRecord[];
  /** Automatic starts since the count was last reset. */
  readonly attempts: number;
  /** Automatic starts since the service became known. */
  readonly restartsTotal?: number;
  readonly lastFailure?: LastFailure;
  /** `skip` is overridden: a user named this very service. */
  readonly insisted: boolean;
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
  /** The restart under way is automatic, after a crash (`on_restart` hooks). */
  readonly recovering: boolean;
  readonly schedule: Schedule;
  /** What the present or last run did without; absent: nothing. */
  readonly skipped?: readonly Skipped[];
  readonly lastExit?: LastExit;
  /** Requests that wait for this service. */
  readonly awaitedBy: readonly RequestId[];
  /** The last 50 moves, oldest first. */
  readonly history: readonly Transition[];
  /** The last 20 incidents that did not change its state, oldest first. */
  readonly incidents?: readonly Incident[];
}
