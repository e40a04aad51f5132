// The current state of a service: a tag carries only what is true in it. All of it survives JSON.
import type { Daemon, Evidence, ServiceError } from '../errors/error.ts';
import { nameOf, type RunId, type ServiceId } from '../ids.ts';
import type { ExitStatus } from './exit.ts';
import type { PortConflict } from './port.ts';
import type { ProcessRef } from './process.ts';
import type { Instant } from '../time.ts';

/**
 * The progress of the probes of one run. `failingSince` and `failures` describe the present series of
 * failures.
 */
export interface HealthProgress {
  readonly health: 'healthy' | 'unhealthy' | 'unknown';
  /** Failures that count towards `retries`. */
  readonly failures: number;
  readonly failingSince?: Instant;
  readonly lastCounted?: Instant;
  /** When the latest series of failures ended. */
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
      /** The number of background processes it left, which were then stopped. */
      readonly left?: number;
    }
  /** Exited well after readiness, and the policy does not restart it. */
  | { readonly tag: 'ended' }
  | { readonly tag: 'failed'; readonly error: ServiceError }
  | { readonly tag: 'skipped'; readonly by: 'manifest' | 'command' | ServiceId };

/** In words: `manifest` and `command` are its own `skip`, anything else is a dependency. */
export const skippedText = (by: Extract<DownReason, { tag: 'skipped' }>['by']): string => {
  if (by === 'manifest') return 'skip is true in the manifest';
  if (by === 'command') return 'its skip command succeeded';
  return `its dependency ${nameOf(by)} is skipped`;
};

/** Why a process is being stopped, or the rest of its tree removed. */
export type StopCause =
  | { readonly tag: 'asked' }
  | { readonly tag: 'restart' }
  | { readonly tag: 'felled'; readonly of: readonly ServiceId[] }
  /**
   * The leader exited by itself, before or after readiness. `asked`: the service had to stop already, but was
   * still waiting its turn.
   */
  | { readonly tag: 'exited'; readonly wasReady: boolean; readonly asked?: true }
  /** Lost its health, or never became ready. */
  | { readonly tag: 'unhealthy'; readonly wasReady: boolean; readonly error: ServiceError }
  /** A cron run took longer than `cron.timeout`. */
  | { readonly tag: 'timeout'; readonly error: ServiceError };

/**
 * The phase of a stop: `stop_signal` sent, SIGKILL sent, or `stop_verify_secs` over without success
 * (ERR0112).
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
      /** Dependencies that failed meanwhile: there is no process to stop yet. */
      readonly felled?: readonly ServiceId[];
      /**
       * Its declaration changed meanwhile and must be taken up: the process is stopped as soon as it exists.
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
      /** When the present phase began; for `unverified`, when SIGKILL was sent. */
      readonly phaseSince: Instant;
      readonly cause: StopCause;
      readonly phase: StopPhase;
      /** The leader's exit, once known. */
      readonly exit?: ExitStatus;
      /** The living processes, as last scanned; absent before the first scan. */
      readonly survivors?: readonly ProcessRef[];
      /** Only the cgroup shows the survivors: they keep the stop open, and get no signal. */
      readonly unproven?: true;
      /** The processes that got the stop signal. */
      readonly asked: readonly ProcessRef[];
      /** The run's last output, once all its processes have ended. */
      readonly evidence?: Evidence;
      /** The process that held its port. */
      readonly taken?: PortConflict;
      /** A process found in a session of its own after the leader exited by itself. */
      readonly daemon?: Daemon;
      /** A start was requested during the stop: it starts again, however the run ends. */
      readonly again?: true;
      /** That start named the service: it starts again even if the run completed. */
      readonly named?: true;
    }
  | {
      readonly tag: 'backing-off';
      readonly attempt: number;
      readonly until: Instant;
      readonly error: ServiceError;
    }
  /** Given up: the breaker is open (ERR0110). Only an explicit start or restart closes it. */
  | { readonly tag: 'broken'; readonly error: ServiceError }
  | { readonly tag: 'casualty'; readonly of: readonly ServiceId[] };

export type Tag = ServiceState['tag'];
/** The state with this tag. */
export type In<T extends Tag> = Extract<ServiceState, { tag: T }>;
