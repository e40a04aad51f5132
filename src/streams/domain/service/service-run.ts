// One run of a service: its declaration, its desired state (`wanted`), its current state (`actual`), and what
// is remembered of it. A service has one run, or two during a rollout. All fields can be stored as JSON.
import type { ServiceSpec } from '../declared/spec.ts';
import type { ServiceError } from '../errors/error.ts';
import type { ExitStatus } from './exit.ts';
import type { CauseFacts, Incident } from './history-facts.ts';
import type { FifoPair } from './process.ts';
import type { DownReason, ServiceState, Tag } from './service-state.ts';
import type { Instant } from '../time.ts';

/**
 * A declared kernel feature that a run continues without (schema version 2 only), such as a namespace that
 * was refused.
 */
export interface Skipped {
  /** The manifest key of the feature, such as `isolation.network`. */
  readonly key: string;
  /** The error of the kernel, or what the kernel does not support. */
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
  /** The exit status of the process, if there was one. */
  readonly exit?: ExitStatus;
  /**
   * When the process exited. The run ends later than that if other processes of its tree are still alive.
   * Absent: at the same moment.
   */
  readonly exitedAt?: Instant;
}

/** One entry of `inspect`'s history: a state change and its cause. */
export interface Transition {
  readonly at: Instant;
  readonly from: Tag;
  readonly to: Tag;
  /** The reason; present if `to` is `down`. */
  readonly down?: DownReason['tag'];
  /** The input that caused the change, as the state table names it. */
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
  /** When the last process of the run's tree ended. */
  readonly endedAt?: Instant;
  readonly exit?: ExitStatus;
  /** When the leader exited, which can be earlier than `endedAt`. */
  readonly exitedAt?: Instant;
  /** The error; present if the run failed. */
  readonly error?: ServiceError;
  readonly peakMemoryBytes?: number;
}

/** The schedule of a cron service: when it is due next, and its last 50 runs, oldest first. */
export interface Schedule {
  readonly due?: Instant;
  /** The scheduled time that has come without a run yet: the service waits for dependencies or the gate. */
  readonly rung?: Instant;
  readonly runs: readonly CronRun[];
}

/** Which run of a service: the current one, or the other one, which exists only during a rollout. */
export type WhichRun = 'current' | 'other';

/**
 * The present run of a service together with what is kept across restarts. Each state carries only the fields
 * that are valid in it.
 */
export interface Run {
  /** The declaration that the run uses. */
  readonly spec: ServiceSpec;
  /** The digest of the newest declaration with which a run became ready. */
  readonly proven?: string;
  readonly wanted: 'up' | 'down';
  readonly actual: ServiceState;
  /** How many runs have begun; during a run this is its number. */
  readonly runs: number;
  /** The highest run number that another run of the service has used. A number is never used twice. */
  readonly numbered?: number;
  /** The FIFO pair that the run writes into: the first, unless another run of the service uses that. */
  readonly lane?: FifoPair;
  /** The blue/green slot of the run; kept between runs. */
  readonly slot?: string;
  /** How many automatic starts there were since the count was last reset; compared with `max_restarts`. */
  readonly attempts: number;
  /** How many automatic starts there were since the service became known. */
  readonly restartsTotal?: number;
  readonly lastFailure?: LastFailure;
  /** True if the user started the service by name, which overrides `skip`. */
  readonly insisted: boolean;
  /** True during an automatic restart after a failure: the `on_restart` hooks run when it ends. */
  readonly recovering: boolean;
  readonly schedule: Schedule;
  /** Kernel features that the present or last run continued without; absent: none. */
  readonly skipped?: readonly Skipped[];
  readonly lastExit?: LastExit;
  /** The last 50 state changes, oldest first. */
  readonly history: readonly Transition[];
  /** The last 20 incidents, which changed no state, oldest first. */
  readonly incidents?: readonly Incident[];
}
