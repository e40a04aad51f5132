// One run of a service: its declaration, its desired state (`wanted`), its current state (`actual`), and
// facts that are kept for later. A service has one run, or two during a rollout. All fields can be stored as
// JSON.
import type { ServiceSpec } from '../declared/spec.ts';
import type { ServiceError } from '../errors/error.ts';
import type { ExitStatus } from './exit.ts';
import type { CauseFacts, Incident } from './history-facts.ts';
import type { FifoPair } from './process.ts';
import type { DownReason, ServiceState, Tag } from './service-state.ts';
import type { Instant } from '../time.ts';

/**
 * A kernel feature that the manifest declares but the kernel refused, such as a namespace. The run continues
 * without it (schema version 2 only).
 */
export interface Skipped {
  /** The manifest key of the kernel feature, such as `isolation.network`. */
  readonly key: string;
  /** The error message of the kernel, or what the kernel does not support. */
  readonly detail: string;
}

export interface LastExit {
  readonly status: ExitStatus;
  readonly at: Instant;
}

/** The newest failure of a service; it is never cleared. */
export interface LastFailure {
  readonly at: Instant;
  readonly error: ServiceError;
  /** The exit status of the process, if a process was started. */
  readonly exit?: ExitStatus;
  /**
   * When the main process exited. The run itself ends later if other processes of its tree are still alive.
   * Absent: at the same moment.
   */
  readonly exitedAt?: Instant;
}

/** One entry of `inspect`'s history: a state change and its cause. */
export interface Transition {
  readonly at: Instant;
  readonly from: Tag;
  readonly to: Tag;
  /** Why the service is down; present if `to` is `down`. */
  readonly down?: DownReason['tag'];
  /** The input to the state table that caused the change. */
  readonly cause: string;
  readonly facts?: CauseFacts;
}

/**
 * One run of a scheduled service, or a scheduled time without a run. `overlap`: a run was still alive.
 * `missed`: the service still waited to start. `skipped`: its skip command succeeded or a dependency was
 * skipped. `unknown`: the exit status is not known.
 */
export interface CronRun {
  readonly due: Instant;
  readonly result:
    'running' | 'success' | 'failure' | 'timeout' | 'overlap' | 'missed' | 'skipped' | 'stopped' | 'unknown';
  readonly startedAt?: Instant;
  /** When the last process of the run ended. */
  readonly endedAt?: Instant;
  readonly exit?: ExitStatus;
  /** When the run's main process exited, which can be earlier than `endedAt`. */
  readonly exitedAt?: Instant;
  /** The error with which the run failed; absent if it did not fail. */
  readonly error?: ServiceError;
  readonly peakMemoryBytes?: number;
}

/** The schedule of a cron service: its next scheduled time, and its last 50 runs, oldest first. */
export interface Schedule {
  readonly due?: Instant;
  /**
   * A scheduled time that has come although its run has not begun: the service waits for dependencies or for
   * its turn to start.
   */
  readonly rung?: Instant;
  readonly runs: readonly CronRun[];
}

/** Which run of a service: the current one, or the second one, which exists only during a rollout. */
export type WhichRun = 'current' | 'other';

/**
 * The present run of a service and the facts that are kept across restarts. Each state has only the fields
 * that are valid in it.
 */
export interface Run {
  /** The declaration that the run was started with. */
  readonly spec: ServiceSpec;
  /** The digest of the newest declaration with which a run of the service became ready. */
  readonly proven?: string;
  readonly wanted: 'up' | 'down';
  readonly actual: ServiceState;
  /** How many runs have begun. While a run exists, this is its number. */
  readonly runs: number;
  /** The highest run number that the second run of a rollout has used, since no number is used twice. */
  readonly numbered?: number;
  /**
   * The FIFO pair that the run writes its output into: the first pair, unless another run of the service uses
   * it.
   */
  readonly lane?: FifoPair;
  /** The slot of a blue/green deployment that the run uses; kept between runs. */
  readonly slot?: string;
  /**
   * How many automatic starts there were since this count was last reset. At `max_restarts` the service is
   * not started any more.
   */
  readonly attempts: number;
  /** How many automatic starts there were since the supervisor knows the service. */
  readonly restartsTotal?: number;
  readonly lastFailure?: LastFailure;
  /** True if the user started the service by name, which overrides `skip`. */
  readonly insisted: boolean;
  /** True during an automatic restart after a failure. At its end the `on_restart` hooks run. */
  readonly recovering: boolean;
  readonly schedule: Schedule;
  /** Kernel features that the present or last run had to continue without; absent: none. */
  readonly skipped?: readonly Skipped[];
  readonly lastExit?: LastExit;
  /** The last 50 state changes, oldest first. */
  readonly history: readonly Transition[];
  /** The last 20 incidents, which changed no state, oldest first. */
  readonly incidents?: readonly Incident[];
}
