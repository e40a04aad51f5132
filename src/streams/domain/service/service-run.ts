// One run of a service: its declaration, desired state (`wanted`), current state (`actual`), and facts that
// are kept for later. A service has one run, or two during a rollout. Plain JSON.
import type { ServiceSpec } from '../declared/spec.ts';
import type { ServiceError } from '../errors/error.ts';
import type { ExitStatus } from './exit-status.ts';
import type { CauseFacts, Incident } from './history-facts.ts';
import type { FifoPair } from './process.ts';
import type { DownReason, ServiceState, Tag } from './service-state.ts';
import type { Instant, Ms } from '../time.ts';

/** A declared feature of Linux that Linux refused. The run continues without it (schema 2 only). */
export interface Skipped {
  /** The manifest key of the feature, such as `isolation.network`. */
  readonly key: string;
  /** The error of Linux, or a text that says which feature this Linux kernel does not support. */
  readonly detail: string;
}

export interface LastExit {
  readonly status: ExitStatus;
  readonly at: Instant;
}

/** The newest failure of a service. It is never cleared. */
export interface LastFailure {
  readonly at: Instant;
  readonly error: ServiceError;
  /** The exit status. Absent if there was no process. */
  readonly exit?: ExitStatus;
  /** When the main process exited. Present if other processes of the run lived longer. */
  readonly exitedAt?: Instant;
}

/** A state change in the history of `inspect`. */
export interface Transition {
  readonly at: Instant;
  readonly from: Tag;
  readonly to: Tag;
  /** Why the service is down, if `to` is `down`. */
  readonly down?: DownReason['tag'];
  /** The kind of the input to the state table that caused the change. */
  readonly cause: string;
  readonly facts?: CauseFacts;
  /** The origin of the command that caused the change, if its client named one. */
  readonly by?: string;
}

/** A run of a scheduled service, or a scheduled time without a run (`overlap`, `missed`, `skipped`). */
export interface CronRun {
  readonly due: Instant;
  readonly result:
    'running' | 'success' | 'failure' | 'timeout' | 'overlap' | 'missed' | 'skipped' | 'stopped' | 'unknown';
  readonly startedAt?: Instant;
  /** When the last process of the run ended. */
  readonly endedAt?: Instant;
  readonly exit?: ExitStatus;
  /** When the main process exited. Present if that was before the last process of the run ended. */
  readonly exitedAt?: Instant;
  readonly error?: ServiceError;
  readonly peakMemoryBytes?: number;
  /**
   * Why the run did not begin at its time. `queued`: the previous run was still alive. `caught-up`: no
   * supervisor ran, or the machine slept. `delayed`: by `cron.jitter`.
   */
  readonly by?: 'queued' | 'caught-up' | 'delayed';
}

/** The schedule of a cron service: its next time, and its last 50 runs, oldest first. */
export interface Schedule {
  readonly due?: Instant;
  /** How long after `due` the run begins, by `cron.jitter`. */
  readonly delay?: Ms;
  /**
   * A scheduled time that has passed although its run has not begun yet. If `rungBy` is `queued`, the
   * previous run may still be alive.
   */
  readonly rung?: Instant;
  readonly rungBy?: NonNullable<CronRun['by']>;
  readonly runs: readonly CronRun[];
}

/** Which run of a service: the current run, or the second run of a rollout. */
export type WhichRun = 'current' | 'other';

/** A run of a service, with facts that are kept across restarts. */
export interface Run {
  /** The declaration with which the run was started. */
  readonly spec: ServiceSpec;
  /** Digest of the declaration with which a run last became ready. */
  readonly proven?: string;
  readonly wanted: 'up' | 'down';
  readonly actual: ServiceState;
  /** The number of runs that have begun. It is also the number of the present run. */
  readonly runs: number;
  /**
   * The highest run number that a child or the second run of a rollout had. It is kept so that no run number
   * is used again.
   */
  readonly numbered?: number;
  /** The FIFO pair for the output of the run; by default the first pair. */
  readonly lane?: FifoPair;
  /** The blue/green slot of the run; kept between runs. */
  readonly slot?: string;
  /**
   * The number of automatic starts since the last reset of this counter. When it reaches `max_restarts`, no
   * further automatic start follows.
   */
  readonly attempts: number;
  /** The number of automatic starts since the service was registered. */
  readonly restartsTotal?: number;
  readonly lastFailure?: LastFailure;
  /** True if the user started the service by name, which overrides `skip`. */
  readonly insisted: boolean;
  /** The origin of the last `start`, `stop` or `restart`, if its client named one. */
  readonly askedBy?: string;
  /**
   * True during an automatic restart after a failure. The `on_restart` hooks run when the restart has
   * succeeded or failed.
   */
  readonly recovering: boolean;
  readonly schedule: Schedule;
  /** The declared features that Linux refused. The present or last run works without them. */
  readonly skipped?: readonly Skipped[];
  readonly lastExit?: LastExit;
  /** The last 50 state changes, oldest first. */
  readonly history: readonly Transition[];
  /** The last 20 incidents, oldest first. */
  readonly incidents?: readonly Incident[];
}
