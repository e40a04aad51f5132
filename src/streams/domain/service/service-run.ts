// One run of a service: its declaration, its desired state (`wanted`), its current one (`actual`), and what
// must be remembered of it. A service has one run, or two during a rollout. All of it survives JSON.
import type { ServiceSpec } from '../declared/spec.ts';
import type { ServiceError } from '../errors/error.ts';
import type { ExitStatus } from './exit.ts';
import type { CauseFacts, Incident } from './history-facts.ts';
import type { FifoPair } from './process.ts';
import type { DownReason, ServiceState, Tag } from './service-state.ts';
import type { Instant } from '../time.ts';

/** A kernel feature of the manifest that a run does without (version 2): a namespace that was not granted. */
export interface Skipped {
  /** The key of the service in its manifest: `isolation.network`. */
  readonly key: string;
  /** The kernel's error, or what it does not support. */
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

/** Which run of a service: the current one, or during a rollout the other one. */
export type WhichRun = 'current' | 'other';

/**
 * A run, and the runs before it that its restarts replaced. A tag of its state carries only what is true in
 * it.
 */
export interface Run {
  /** The declaration that the run uses. */
  readonly spec: ServiceSpec;
  /** The digest of the newest declaration with a run that became ready. */
  readonly proven?: string;
  readonly wanted: 'up' | 'down';
  readonly actual: ServiceState;
  /** Runs begun so far; during a run, its number. */
  readonly runs: number;
  /** The highest run number given to another run of the service; no number is given twice. */
  readonly numbered?: number;
  /** The pair of FIFOs the run writes into; the first, unless another run of the service has it. */
  readonly lane?: FifoPair;
  /** The blue/green slot of its run; it is kept between runs. */
  readonly slot?: string;
  /** Automatic starts since the count was last reset. */
  readonly attempts: number;
  /** Automatic starts since the service became known. */
  readonly restartsTotal?: number;
  readonly lastFailure?: LastFailure;
  /** `skip` is overridden: a user named this very service. */
  readonly insisted: boolean;
  /** The restart under way is automatic, after a crash (`on_restart` hooks). */
  readonly recovering: boolean;
  readonly schedule: Schedule;
  /** What the present or last run did without; absent: nothing. */
  readonly skipped?: readonly Skipped[];
  readonly lastExit?: LastExit;
  /** The last 50 moves, oldest first. */
  readonly history: readonly Transition[];
  /** The last 20 incidents that did not change its state, oldest first. */
  readonly incidents?: readonly Incident[];
}
