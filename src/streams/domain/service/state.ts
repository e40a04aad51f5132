// What a service is doing: a tag carries what is true in it, and nothing else. Everything here survives JSON.
import type { Daemon, Evidence, ServiceError } from '../errors/error.ts';
import type { RunId, ServiceId } from '../ids.ts';
import type { Instant } from '../time.ts';
import type { ExitStatus } from './exit.ts';
import type { HealthProgress } from './health.ts';
import type { Taken } from './port.ts';
import type { ProcessRef } from './process.ts';

/** Why a service that is not running is not running. */
export type DownReason =
  | { readonly tag: 'new' }
  | { readonly tag: 'asked' }
  /** A one-shot that exited with 0: its dependents may start. */
  | {
      readonly tag: 'completed';
      /** How many processes it had left in the background, which were stopped then. */
      readonly left?: number;
    }
  /** It ended well after it was ready, and its policy does not bring it back. */
  | { readonly tag: 'ended' }
  | { readonly tag: 'failed'; readonly error: ServiceError }
  | { readonly tag: 'skipped'; readonly by: 'manifest' | 'command' | ServiceId };

/** Why a process is being brought to its end, or what is left of one cleared away. */
export type StopCause =
  | { readonly tag: 'asked' }
  | { readonly tag: 'restart' }
  | { readonly tag: 'felled'; readonly of: readonly ServiceId[] }
  /** The leader ended by itself, before or after it was ready. `asked`: it was to stop already, and its turn had not come. */
  | { readonly tag: 'exited'; readonly wasReady: boolean; readonly asked?: true }
  /** Health lost, or readiness never reached. */
  | { readonly tag: 'unhealthy'; readonly wasReady: boolean; readonly error: ServiceError }
  /** A cron run took longer than `cron.timeout`. */
  | { readonly tag: 'timeout'; readonly error: ServiceError };

/** How far a stop has come: `stop_signal` sent, SIGKILL sent, or `stop_verify_secs` spent in vain (ERR0112). */
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
      /** Who has failed meanwhile: there is nothing to stop yet. */
      readonly felled?: readonly ServiceId[];
      /** It was declared anew meanwhile and is to run so: once there is a process, that one ends. */
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
      /** When the present phase began; of `unverified`, when SIGKILL was sent. */
      readonly phaseSince: Instant;
      readonly cause: StopCause;
      readonly phase: StopPhase;
      /** The leader's exit, once known. */
      readonly exit?: ExitStatus;
      /** Who is left, as last seen; absent before the first survey. */
      readonly survivors?: readonly ProcessRef[];
      /** The survivors are known by the cgroup alone: they keep the stop undecided, and get no signal. */
      readonly unproven?: true;
      /** Who has had the stop signal. */
      readonly asked: readonly ProcessRef[];
      /** What the run printed last, once nobody of it is left. */
      readonly evidence?: Evidence;
      /** Who had its port. */
      readonly taken?: Taken;
      /** Who was found in a session of its own when the leader had ended by itself. */
      readonly daemon?: Daemon;
      /** It was asked for while it was ending: it starts again, whatever its end. */
      readonly again?: true;
      /** By name: also where it was done. */
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
