// The current state of a service. Each state has a tag, and only those fields that are valid in it. Plain
// JSON.
import type { Daemon, Evidence, ServiceError } from '../errors/error.ts';
import { nameOf, type RunId, type ServiceId } from '../ids.ts';
import type { ExitStatus } from './exit-status.ts';
import type { PortConflict } from './port.ts';
import type { ProcessRef } from './process.ts';
import type { Instant, Ms } from '../time.ts';

/** The probe results of one run. `failingSince` and `failures` describe the latest failures in a row. */
export interface HealthProgress {
  readonly health: 'healthy' | 'unhealthy' | 'unknown';
  /** The number of failures in a row. At `retries` failures the run is unhealthy. */
  readonly failures: number;
  readonly failingSince?: Instant;
  readonly lastCounted?: Instant;
  /** When a probe passed after the latest failures. */
  readonly healthySince?: Instant;
  readonly error?: ServiceError;
  /** Present for results of `liveness`. */
  readonly liveness?: true;
}

/** The health of a run before its first probe result. */
export const UNPROBED: HealthProgress = { health: 'unknown', failures: 0 };
export const HEALTHY: HealthProgress = { health: 'healthy', failures: 0 };

/** One message in which a run reports its own state (sd_notify). */
export interface SelfReport {
  /** `READY=1`: the run is ready, or ready again after a reload. */
  readonly ready?: true;
  /** `STATUS=`: a text for users, which may be empty. */
  readonly status?: string;
  readonly reloading?: true;
  readonly stopping?: true;
  /** `EXTEND_TIMEOUT_USEC=`: how much more time the run needs to become ready, or to stop. */
  readonly extend?: Ms;
}

/** The reports of a run about itself that still apply. */
export interface Notified {
  readonly status?: string;
  readonly reloading?: true;
  readonly stopping?: true;
}

export type DownReason =
  | { readonly tag: 'new' }
  | { readonly tag: 'asked' }
  /** A one-shot exited with 0, so its dependents may start. */
  | {
      readonly tag: 'completed';
      /**
       * The number of background processes of the one-shot that were alive when it exited. They were stopped.
       */
      readonly left?: number;
    }
  /** The service exited with 0 after it was ready, and its restart policy does not restart it. */
  | { readonly tag: 'ended' }
  | { readonly tag: 'failed'; readonly error: ServiceError }
  | { readonly tag: 'skipped'; readonly by: 'manifest' | 'command' | ServiceId };

/** Returns why a service was skipped: its own `skip` (`manifest`, `command`) or a skipped dependency. */
export const skippedText = (by: Extract<DownReason, { tag: 'skipped' }>['by']): string => {
  if (by === 'manifest') return 'skip is true in the manifest';
  if (by === 'command') return 'its skip command succeeded';
  return `its dependency ${nameOf(by)} is skipped`;
};

export type StopCause =
  | { readonly tag: 'asked' }
  | { readonly tag: 'restart' }
  | { readonly tag: 'felled'; readonly of: readonly ServiceId[] }
  /** The main process exited by itself. `asked`: a stop was requested before, but had not begun. */
  | { readonly tag: 'exited'; readonly wasReady: boolean; readonly asked?: true }
  /**
   * The health check failed, because the service is unhealthy or did not become ready. `final`: the check
   * says that no restart follows.
   */
  | {
      readonly tag: 'unhealthy';
      readonly wasReady: boolean;
      readonly error: ServiceError;
      readonly final?: true;
    }
  /** A scheduled run took longer than `cron.timeout`. */
  | { readonly tag: 'timeout'; readonly error: ServiceError };

/**
 * The phase of a stop. `asking`: `stop_signal` was sent. `killing`: SIGKILL was sent. `unverified`: processes
 * live in spite of SIGKILL (ERR0112).
 */
export type StopPhase = 'asking' | 'killing' | 'unverified';

export type ServiceState =
  | { readonly tag: 'down'; readonly why: DownReason }
  /** A cron service that waits for its next time. */
  | { readonly tag: 'scheduled' }
  | { readonly tag: 'waiting'; readonly for: 'dependencies' | 'gate' }
  | { readonly tag: 'preparing'; readonly run: RunId; readonly step: 'skip' | 'pre_start' }
  | {
      readonly tag: 'spawning';
      readonly run: RunId;
      /** Dependencies that failed during the spawn; the process is stopped once it exists. */
      readonly felled?: readonly ServiceId[];
      /**
       * Present if a restart with a newer declaration was requested during the spawn: the process is stopped,
       * then the service starts again.
       */
      readonly again?: true;
    }
  | {
      readonly tag: 'starting';
      readonly run: RunId;
      readonly process: ProcessRef;
      readonly since: Instant;
      readonly health: HealthProgress;
      readonly notified?: Notified;
      /** The time at which the run must be ready. Present only if the run has asked for more time. */
      readonly readyBy?: Instant;
    }
  | {
      readonly tag: 'up';
      readonly run: RunId;
      readonly process: ProcessRef;
      readonly since: Instant;
      readonly readyAt: Instant;
      readonly health: HealthProgress;
      /** Since when the memory has been over `max_memory`, and the bytes at the last measurement. */
      readonly overweight?: { readonly since: Instant; readonly bytes: number };
      /** The results of `liveness`. Absent before the first result. */
      readonly alive?: HealthProgress;
      readonly notified?: Notified;
    }
  | {
      readonly tag: 'stopping';
      readonly run: RunId;
      readonly process: ProcessRef;
      readonly since: Instant;
      /** When this phase of the stop began; for `unverified`, when SIGKILL was sent. */
      readonly phaseSince: Instant;
      readonly cause: StopCause;
      readonly phase: StopPhase;
      readonly notified?: Notified;
      /** The time at which SIGKILL is sent. Present only if the run has asked for more time to stop. */
      readonly stopBy?: Instant;
      /** Present while `stop_command` runs. The stop signal is sent after it. */
      readonly commanded?: true;
      /** The exit status of the main process. Absent until it is known. */
      readonly exit?: ExitStatus;
      /** The processes that were alive at the last process scan. Absent before the first scan. */
      readonly survivors?: readonly ProcessRef[];
      /** Present if only the cgroup shows the living processes: the stop waits for them but signals none. */
      readonly unproven?: true;
      /** The processes that got the stop signal. */
      readonly asked: readonly ProcessRef[];
      /** The last output of the run. Absent until all processes of the run have ended. */
      readonly evidence?: Evidence;
      /** The port on which the run could not listen, and the process that holds it. */
      readonly taken?: PortConflict;
      /** A process that had left the session of the run when the main process exited by itself. */
      readonly daemon?: Daemon;
      /** Present if a start was requested during the stop: the service starts again after the stop. */
      readonly again?: true;
      /**
       * Present if the requested start named the service. The service then starts again even if the run that
       * is being stopped has completed its task.
       */
      readonly named?: true;
    }
  | {
      readonly tag: 'backing-off';
      readonly attempt: number;
      readonly until: Instant;
      readonly error: ServiceError;
    }
  /** The service was restarted too often (ERR0110). Only a start or restart by a user starts it again. */
  | { readonly tag: 'broken'; readonly error: ServiceError }
  | { readonly tag: 'casualty'; readonly of: readonly ServiceId[] };

export type Tag = ServiceState['tag'];
export type In<T extends Tag> = Extract<ServiceState, { tag: T }>;

/**
 * Returns the probe results to show: those of `liveness` if only `liveness` fails, otherwise those of the
 * health check.
 */
export const shownHealth = (state: In<'starting' | 'up'>): HealthProgress =>
  state.tag === 'up' && state.alive?.health === 'unhealthy' && state.health.health !== 'unhealthy'
    ? state.alive
    : state.health;
