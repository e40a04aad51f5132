// The current state of a service. Each state has a tag and only the fields that are valid in it. All fields
// can be stored as JSON.
import type { Daemon, Evidence, ServiceError } from '../errors/error.ts';
import { nameOf, type RunId, type ServiceId } from '../ids.ts';
import type { ExitStatus } from './exit.ts';
import type { PortConflict } from './port.ts';
import type { ProcessRef } from './process.ts';
import type { Instant } from '../time.ts';

/**
 * The health probe results of one run. `failingSince` and `failures` describe the present failures in a row.
 */
export interface HealthProgress {
  readonly health: 'healthy' | 'unhealthy' | 'unknown';
  /** The number of failures in a row; at `retries` the run is unhealthy. */
  readonly failures: number;
  readonly failingSince?: Instant;
  readonly lastCounted?: Instant;
  /** When a probe passed after the latest failures. */
  readonly healthySince?: Instant;
  readonly error?: ServiceError;
}

/** Why a service is not running. */
export type DownReason =
  | { readonly tag: 'new' }
  | { readonly tag: 'asked' }
  /** A one-shot exited with 0, so its dependents may start. */
  | {
      readonly tag: 'completed';
      /** How many background processes the one-shot left; they were stopped. */
      readonly left?: number;
    }
  /** The service exited with 0 after it was ready, and its restart policy does not restart it. */
  | { readonly tag: 'ended' }
  | { readonly tag: 'failed'; readonly error: ServiceError }
  | { readonly tag: 'skipped'; readonly by: 'manifest' | 'command' | ServiceId };

/**
 * Returns the reason for the skip in words. `manifest` and `command` mean the service's own `skip`; any other
 * value is a dependency that was skipped.
 */
export const skippedText = (by: Extract<DownReason, { tag: 'skipped' }>['by']): string => {
  if (by === 'manifest') return 'skip is true in the manifest';
  if (by === 'command') return 'its skip command succeeded';
  return `its dependency ${nameOf(by)} is skipped`;
};

/** Why a run is being stopped, or why its remaining processes are killed. */
export type StopCause =
  | { readonly tag: 'asked' }
  | { readonly tag: 'restart' }
  | { readonly tag: 'felled'; readonly of: readonly ServiceId[] }
  /**
   * The main process exited by itself. `wasReady`: the run had been ready. `asked`: a stop was requested
   * already, but had not begun.
   */
  | { readonly tag: 'exited'; readonly wasReady: boolean; readonly asked?: true }
  /** The health check failed: the run became unhealthy, or never became ready. */
  | { readonly tag: 'unhealthy'; readonly wasReady: boolean; readonly error: ServiceError }
  /** A run of a scheduled service took longer than `cron.timeout`. */
  | { readonly tag: 'timeout'; readonly error: ServiceError };

/**
 * The phase of a stop. `asking`: `stop_signal` was sent. `killing`: SIGKILL was sent. `unverified`: processes
 * are still alive after `stop_verify_secs` (ERR0112).
 */
export type StopPhase = 'asking' | 'killing' | 'unverified';

export type ServiceState =
  | { readonly tag: 'down'; readonly why: DownReason }
  /** A cron service that waits for its next scheduled time. */
  | { readonly tag: 'scheduled' }
  | { readonly tag: 'waiting'; readonly for: 'dependencies' | 'gate' }
  | { readonly tag: 'preparing'; readonly run: RunId; readonly step: 'skip' | 'pre_start' }
  | {
      readonly tag: 'spawning';
      readonly run: RunId;
      /** Dependencies that failed while the process was being started and could not be stopped yet. */
      readonly felled?: readonly ServiceId[];
      /**
       * A restart with a newer declaration was requested during the spawn: the process is stopped as soon as
       * it exists, then started again.
       */
      readonly again?: true;
    }
  | {
      readonly tag: 'starting';
      readonly run: RunId;
      readonly process: ProcessRef;
      readonly since: Instant;
      readonly health: HealthProgress;
    }
  | {
      readonly tag: 'up';
      readonly run: RunId;
      readonly process: ProcessRef;
      readonly since: Instant;
      readonly readyAt: Instant;
      readonly health: HealthProgress;
    }
  | {
      readonly tag: 'stopping';
      readonly run: RunId;
      readonly process: ProcessRef;
      readonly since: Instant;
      /** When the present phase of the stop began. For `unverified`: when SIGKILL was sent. */
      readonly phaseSince: Instant;
      readonly cause: StopCause;
      readonly phase: StopPhase;
      /** The exit status of the main process, once known. */
      readonly exit?: ExitStatus;
      /** The processes of the run that were alive at the last process scan; absent before the first scan. */
      readonly survivors?: readonly ProcessRef[];
      /**
       * Present if the remaining processes are known only from the cgroup: the stop waits for them, but they
       * get no signal.
       */
      readonly unproven?: true;
      /** The processes that the stop signal was sent to. */
      readonly asked: readonly ProcessRef[];
      /** The run's last output, once all its processes have ended. */
      readonly evidence?: Evidence;
      /** The port that the run could not bind, and the process that holds it. */
      readonly taken?: PortConflict;
      /** A process that had left the session of the run when the main process exited by itself. */
      readonly daemon?: Daemon;
      /** A start was requested during the stop: the service starts again when the stop has ended. */
      readonly again?: true;
      /**
       * Present if the user named the service in the start during the stop: it runs again even if its stopped
       * run completed.
       */
      readonly named?: true;
    }
  | {
      readonly tag: 'backing-off';
      readonly attempt: number;
      readonly until: Instant;
      readonly error: ServiceError;
    }
  /** The service was restarted too often (ERR0110). Only an explicit start or restart starts it again. */
  | { readonly tag: 'broken'; readonly error: ServiceError }
  | { readonly tag: 'casualty'; readonly of: readonly ServiceId[] };

export type Tag = ServiceState['tag'];
/** The type of the state with this tag. */
export type In<T extends Tag> = Extract<ServiceState, { tag: T }>;
