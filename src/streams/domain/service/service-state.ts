// The current state of a service. Each state has a tag and only the fields that are valid in it. Plain JSON.
import type { Daemon, Evidence, ServiceError } from '../errors/error.ts';
import { nameOf, type RunId, type ServiceId } from '../ids.ts';
import type { ExitStatus } from './exit.ts';
import type { PortConflict } from './port.ts';
import type { ProcessRef } from './process.ts';
import type { Instant, Ms } from '../time.ts';

/** Probe results of one run. `failingSince` and `failures` describe the present failures in a row. */
export interface HealthProgress {
  readonly health: 'healthy' | 'unhealthy' | 'unknown';
  /** The number of failures in a row; at `retries` the run is unhealthy. */
  readonly failures: number;
  readonly failingSince?: Instant;
  readonly lastCounted?: Instant;
  /** When a probe passed after the latest failures. */
  readonly healthySince?: Instant;
  readonly error?: ServiceError;
  /** Present for results of `liveness`. */
  readonly liveness?: true;
}

/** The health of a run that no probe has passed or failed yet. */
export const UNPROBED: HealthProgress = { health: 'unknown', failures: 0 };
export const HEALTHY: HealthProgress = { health: 'healthy', failures: 0 };

/** What a run reports about itself in one message (sd_notify). */
export interface SelfReport {
  /** `READY=1`: it is ready, or ready again after a reload. */
  readonly ready?: true;
  /** `STATUS=`: a text for users, perhaps empty. */
  readonly status?: string;
  readonly reloading?: true;
  readonly stopping?: true;
  /** `EXTEND_TIMEOUT_USEC=`: how much more time it needs to be ready, or to stop. */
  readonly extend?: Ms;
}

/** What a run has reported about itself, as far as it still holds. */
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
      /** How many background processes the one-shot left; they were stopped. */
      readonly left?: number;
    }
  /** Exited with 0 after it was ready, and the restart policy does not restart it. */
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
  /** The main process exited by itself. `asked`: a requested stop had not begun yet. */
  | { readonly tag: 'exited'; readonly wasReady: boolean; readonly asked?: true }
  /** The health check failed: unhealthy, or never ready. `final`: it says that no restart follows. */
  | {
      readonly tag: 'unhealthy';
      readonly wasReady: boolean;
      readonly error: ServiceError;
      readonly final?: true;
    }
  /** A scheduled run took longer than `cron.timeout`. */
  | { readonly tag: 'timeout'; readonly error: ServiceError };

/** `asking`: `stop_signal` sent. `killing`: SIGKILL sent. `unverified`: that did not help (ERR0112). */
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
      /** A restart with a newer declaration came during the spawn: stop the process, then start again. */
      readonly again?: true;
    }
  | {
      readonly tag: 'starting';
      readonly run: RunId;
      readonly process: ProcessRef;
      readonly since: Instant;
      readonly health: HealthProgress;
      readonly notified?: Notified;
      /** Until when it may still become ready, if it has asked for more time. */
      readonly readyBy?: Instant;
    }
  | {
      readonly tag: 'up';
      readonly run: RunId;
      readonly process: ProcessRef;
      readonly since: Instant;
      readonly readyAt: Instant;
      readonly health: HealthProgress;
      /** Since when the memory has been over `max_memory`, and how many bytes it was at last. */
      readonly overweight?: { readonly since: Instant; readonly bytes: number };
      /** Results of `liveness`; absent before the first one. */
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
      /** Until when it may still stop before SIGKILL, if it has asked for more time. */
      readonly stopBy?: Instant;
      /** Present while `stop_command` runs: the stop signal follows it. */
      readonly commanded?: true;
      /** The exit status of the main process, once known. */
      readonly exit?: ExitStatus;
      /** The processes alive at the last process scan; absent before the first one. */
      readonly survivors?: readonly ProcessRef[];
      /** The rest is known only from the cgroup: the stop waits for it but signals nothing. */
      readonly unproven?: true;
      /** The processes that got the stop signal. */
      readonly asked: readonly ProcessRef[];
      /** The run's last output, once all its processes have ended. */
      readonly evidence?: Evidence;
      /** The port that the run could not bind, and its holder. */
      readonly taken?: PortConflict;
      /** A process that had left the session when the main process exited by itself. */
      readonly daemon?: Daemon;
      /** A start came during the stop: the service starts again afterwards. */
      readonly again?: true;
      /** That start named the service, so it runs again even if its stopped run completed. */
      readonly named?: true;
    }
  | {
      readonly tag: 'backing-off';
      readonly attempt: number;
      readonly until: Instant;
      readonly error: ServiceError;
    }
  /** Restarted too often (ERR0110): only an explicit start or restart starts it again. */
  | { readonly tag: 'broken'; readonly error: ServiceError }
  | { readonly tag: 'casualty'; readonly of: readonly ServiceId[] };

export type Tag = ServiceState['tag'];
export type In<T extends Tag> = Extract<ServiceState, { tag: T }>;

/** Returns the results to show: those of `liveness` while it fails, else those of the health check. */
export const shownHealth = (state: In<'starting' | 'up'>): HealthProgress =>
  state.tag === 'up' && state.alive?.health === 'unhealthy' && state.health.health !== 'unhealthy'
    ? state.alive
    : state.health;
