// A service as it is: what was asked of it (`wanted`), what it is doing (`actual`), and what must be remembered.
// A tag carries what is true in it, and nothing else. Everything here survives JSON.
import type { Daemon, Evidence, ServiceError } from '../errors/error.ts';
import type { CauseFacts } from './cause.ts';
import type { ExitStatus } from './exit.ts';
import type { RequestId, RunId, ServiceId } from '../ids.ts';
import type { HealthProgress } from './health.ts';
import type { Taken } from './port.ts';
import type { Lane, ProcessRef } from './process.ts';
import type { Remnant } from './remnant.ts';
import type { RolloutFacts, RolloutRecord } from './rollout.ts';
import type { Skipped } from './skipped.ts';
import type { ServiceSpec } from '../declared/spec.ts';
import type { Instant } from '../time.ts';

export type { HealthProgress } from './health.ts';

/** Why a service that is not running is not running. */
export type DownReason =
  | { readonly tag: 'new' }
  | { readonly tag: 'asked' }
  /** A one-shot that exited with 0: its dependents may start. */
  | { readonly tag: 'completed' }
  /** It ended well after it was ready, and its policy does not bring it back. */
  | { readonly tag: 'ended' }
  | { readonly tag: 'failed'; readonly error: ServiceError }
  | { readonly tag: 'skipped'; readonly by: 'manifest' | 'command' | ServiceId };

/** Why a process is being brought to its end, or what is left of one cleared away. */
export type StopCause =
  | { readonly tag: 'asked' }
  | { readonly tag: 'restart' }
  | { readonly tag: 'felled'; readonly of: readonly ServiceId[] }
  /** The leader ended by itself, before or after it was ready. */
  | { readonly tag: 'exited'; readonly wasReady: boolean }
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
  | { readonly tag: 'spawning'; readonly run: RunId }
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
      /** When the present phase began. */
      readonly phaseSince: Instant;
      readonly cause: StopCause;
      readonly phase: StopPhase;
      /** The leader's exit, once known. */
      readonly exit?: ExitStatus;
      /** Who is left, as last seen; absent before the first survey. */
      readonly survivors?: readonly ProcessRef[];
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

export interface LastExit {
  readonly status: ExitStatus;
  readonly at: Instant;
}

/** The newest failure of a service, kept for good. */
export interface LastFailure {
  readonly at: Instant;
  readonly error: ServiceError;
  /** How the process ended, if there was one. */
  readonly exit?: ExitStatus;
}

/** One line of `inspect`'s history: what happened, and what became of the service. */
export interface Transition {
  readonly at: Instant;
  readonly from: Tag;
  readonly to: Tag;
  /** Why it was down then, when `to` is `down`. */
  readonly down?: DownReason['tag'];
  /** The event that caused it, as the state table names it. */
  readonly cause: string;
  readonly facts?: CauseFacts;
}

/**
 * One run of a scheduled service, or a boundary without one: met while a run was alive (`overlap`), while an earlier one
 * still waited (`missed`), or skipped by its skip command (`skipped`). `unknown`: nobody saw the end of the run.
 */
export interface CronRun {
  readonly due: Instant;
  readonly result:
    'running' | 'success' | 'failure' | 'timeout' | 'overlap' | 'missed' | 'skipped' | 'stopped' | 'unknown';
  readonly startedAt?: Instant;
  readonly endedAt?: Instant;
  readonly exit?: ExitStatus;
  /** Of a run that failed. */
  readonly error?: ServiceError;
  readonly peakMemoryBytes?: number;
}

/** What a cron service remembers: when it is due next, and its last 50 runs, oldest first. */
export interface Schedule {
  readonly due?: Instant;
  /** The boundary that rang and whose run has not begun yet: it waits for dependencies or the gate. */
  readonly rung?: Instant;
  readonly runs: readonly CronRun[];
}

/** A rollout under way, with its second run: the candidate, and from `retiring` on the old one. */
export interface Rollout extends RolloutFacts {
  readonly other: Service;
}

export interface Service {
  readonly spec: ServiceSpec;
  /** A newer declaration, taken up when the service starts next. */
  readonly revised?: ServiceSpec;
  readonly wanted: 'up' | 'down';
  readonly actual: ServiceState;
  /** Runs begun so far; the present run's number while there is one. */
  readonly runs: number;
  /** The highest number that another run of the same service was given: no number is given twice. */
  readonly numbered?: number;
  /** What is left of earlier runs: nobody begins before it is gone. */
  readonly remnants?: readonly Remnant[];
  /** Which of its two pairs of FIFOs the run writes into; the first, unless another run of the service has that. */
  readonly lane?: Lane;
  /** The blue/green slot of its run, kept between runs. */
  readonly slot?: string;
  /** Two runs at once, on the way from one to the other. */
  readonly rollout?: Rollout;
  /** The last ten rollouts, oldest first. */
  readonly rollouts?: readonly RolloutRecord[];
  /** Automatic starts since the count was last cleared. */
  readonly attempts: number;
  /** Automatic starts since the service is known. */
  readonly restartsTotal?: number;
  readonly lastFailure?: LastFailure;
  /** `skip` is overridden: this very service was asked for by name. */
  readonly insisted: boolean;
  /** It was wanted when the supervisor was told to end: the next one brings it up again. */
  readonly resume: boolean;
  /** It leaves the roster as soon as it is down. */
  readonly leaving: boolean;
  /** `pending`: it was started with others and has not arrived yet: it must pass the gate, or has and counts there. */
  readonly gate: 'none' | 'pending';
  /** The restart under way is an automatic one after a crash (`on_restart` hooks). */
  readonly recovering: boolean;
  readonly schedule: Schedule;
  /** What the present or last run went without; absent: nothing. */
  readonly skipped?: readonly Skipped[];
  readonly lastExit?: LastExit;
  /** Requests that await this service. */
  readonly awaitedBy: readonly RequestId[];
  /** The last 50 moves, oldest first. */
  readonly history: readonly Transition[];
}
