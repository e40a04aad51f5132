// The current state of a service. Each state has a tag and only the fields that are valid in it. All fields
// can be stored as JSON.
import type { Daemon, Evidence, ServiceError } from '../errors/error.ts';
import { nameOf, type RunId, type ServiceId } from '../ids.ts';
import type { ExitStatus } from './exit.ts';
import type { PortConflict } from './port.ts';
import type { ProcessRef } from './process.ts';
import type { Instant } from '../time.ts';

/** The probe results of one run. `failingSince` and `failures` describe the present series of failures. */
export interface HealthProgress {
  readonly health: 'healthy' | 'unhealthy' | 'unknown';
  /** The number of failures in a row that count towards `retries`. */
  readonly failures: number;
  readonly failingSince?: Instant;
  readonly lastCounted?: Instant;
  /** When the latest series of failures ended with a passed probe. */
  readonly healthySince?: Instant;
  readonly error?: ServiceError;
}

/** Why a service is not running. */
export type DownReason =
  | { readonly tag: 'new' }
  | { readonly tag: 'asked' }
  /** A one-shot that exited with 0: its dependents may start. */
  | {
      readonly tag: 'completed';
      /** How many background processes it left, which were then stopped. */
      readonly left?: number;
    }
  /** The service exited with 0 after readiness, and the restart policy does not restart it. */
  | { readonly tag: 'ended' }
  | { readonly tag: 'failed'; readonly error: ServiceError }
  | { readonly tag: 'skipped'; readonly by: 'manifest' | 'command' | ServiceId };

/**
 * Returns the reason in words. `manifest` and `command` mean the service's own `skip`; any other value is a
 * skipped dependency.
 */
export const skippedText = (by: Extract<DownReason, { tag: 'skipped' }>['by']): string => {
  if (by === 'manifest') return 'skip is true in the manifest';
  if (by === 'command') return 'its skip command succeeded';
  return `its dependency ${nameOf(by)} is skipped`;
};

/** Why a run is being stopped, or why the rest of its tree is removed. */
export type StopCause =
  | { readonly tag: 'asked' }
  | { readonly tag: 'restart' }
  | { readonly tag: 'felled'; readonly of: readonly ServiceId[] }
  /**
   * The leader exited by itself. `wasReady`: it had been ready. `asked`: its stop was requested already, but
   * had not begun.
   */
  | { readonly tag: 'exited'; readonly wasReady: boolean; readonly asked?: true }
  /** The health check failed: the run lost its health, or never became ready. */
  | { readonly tag: 'unhealthy'; readonly wasReady: boolean; readonly error: ServiceError }
  /** A cron run took longer than `cron.timeout`. */
  | { readonly tag: 'timeout'; readonly error: ServiceError };

/**
 * The phase of a stop. `asking`: `stop_signal` is sent. `killing`: SIGKILL is sent. `unverified`:
 * `stop_verify_secs` are over and the end is not verified (ERR0112).
 */
export type StopPhase = 'asking' | 'killing' | 'unverified';

export type ServiceState =
  | { readonly tag: 'down'; readonly why: DownReason }
  /** A cron service between two runs. */
  | { readonly tag: 'scheduled' }
  | { readonly tag: 'waiting'; readonly for: 'dependencies' | 'gate' }
  | { readonly tag: 'preparing'; readonly run: RunId; readonly step: 'skip' | 'pre_start' }
  | {
      readonly tag: 'spawning';
      readonly run: RunId;
      /** Dependencies that failed during the spawn, when there is no process to stop yet. */
      readonly felled?: readonly ServiceId[];
      /**
       * A restart with a newer declaration was requested during the spawn: the process is stopped as soon as
       * it exists.
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
      /** When the present phase began. For `unverified`: when SIGKILL was sent. */
      readonly phaseSince: Instant;
      readonly cause: StopCause;
      readonly phase: StopPhase;
      /** The exit status of the leader, once known. */
      readonly exit?: ExitStatus;
      /** The living processes of the tree at the last process scan; absent before the first. */
      readonly survivors?: readonly ProcessRef[];
      /** Present if only the cgroup shows the survivors: they keep the stop open, but get no signal. */
      readonly unproven?: true;
      /** The processes that the stop signal was sent to. */
      readonly asked: readonly ProcessRef[];
      /** The run's last output, once all its processes have ended. */
      readonly evidence?: Evidence;
      /** The port that the run could not bind, and the process that holds it. */
      readonly taken?: PortConflict;
      /** A process that was in a session of its own when the leader had exited by itself. */
      readonly daemon?: Daemon;
      /** A start was requested during the stop: the service starts again, however the run ends. */
      readonly again?: true;
      /**
       * Present if the user named the service in that start: it runs again even if the stopped run completed.
       */
      readonly named?: true;
    }
  | {
      readonly tag: 'backing-off';
      readonly attempt: number;
      readonly until: Instant;
      readonly error: ServiceError;
    }
  /** The breaker is open (ERR0110). Only an explicit start or restart closes it. */
  | { readonly tag: 'broken'; readonly error: ServiceError }
  | { readonly tag: 'casualty'; readonly of: readonly ServiceId[] };

export type Tag = ServiceState['tag'];
/** The state with this tag. */
export type In<T extends Tag> = Extract<ServiceState, { tag: T }>;
