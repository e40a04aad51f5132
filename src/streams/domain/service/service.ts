// A service as it is: what was asked of it (`wanted`), what it is doing (`actual`), and what must be remembered.
// A tag carries what is true in it, and nothing else. Everything here survives JSON.
import type { ServiceError } from '../errors/error.ts';
import type { CauseFacts } from './cause.ts';
import type { Child, Grant, PastChild } from './child.ts';
import type { ExitStatus } from './exit.ts';
import type { RequestId } from '../ids.ts';
import type { Incident } from './incident.ts';
import type { Lane } from './process.ts';
import type { Remnant } from './remnant.ts';
import type { RolloutFacts, RolloutRecord } from './rollout.ts';
import type { DownReason, ServiceState, Tag } from './state.ts';
import type { Skipped } from './skipped.ts';
import type { ServiceSpec } from '../declared/spec.ts';
import type { Instant } from '../time.ts';

export type { HealthProgress } from './health.ts';
export type { DownReason, In, ServiceState, StopCause, StopPhase, Tag } from './state.ts';

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
  /** When it did: the run is over later, once nobody of its tree is left. Absent: at the same moment. */
  readonly exitedAt?: Instant;
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
  /** When nobody of its tree was left. */
  readonly endedAt?: Instant;
  readonly exit?: ExitStatus;
  /** When its leader ended: earlier than `endedAt`. */
  readonly exitedAt?: Instant;
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
  /** The digest of the declaration that failed to roll out: no run takes it up, but by an apply or a restart of this service. */
  readonly rejected?: string;
  /** The digest of the newest declaration of which a run was ready. */
  readonly proven?: string;
  /** The last good declaration before the present one, for a rollback. */
  readonly previous?: ServiceSpec;
  /** The digest of the declaration that a person has rolled back to: `rejected` is held back by that, and did not fail. */
  readonly rolledBack?: string;
  readonly wanted: 'up' | 'down';
  readonly actual: ServiceState;
  /** Runs begun so far; the present run's number while there is one. */
  readonly runs: number;
  /** The highest number that another run of the same service was given: no number is given twice. */
  readonly numbered?: number;
  /** What is left of earlier runs: nobody begins before it is gone. */
  readonly remnants?: readonly Remnant[];
  /** Processes that it has asked for and that are not over, oldest first. */
  readonly children?: readonly Child[];
  /** The last 50 of those that are over, oldest first. */
  readonly pastChildren?: readonly PastChild[];
  /** Spawns of the last second. */
  readonly grants?: readonly Grant[];
  /** What it and its children hold, bytes, as last looked at; only where `total_memory` limits it. */
  readonly treeMemory?: number;
  /** Which of its two pairs of FIFOs the run writes into; the first, unless another run of the service has that. */
  readonly lane?: Lane;
  /** The blue/green slot of its run, kept between runs. */
  readonly slot?: string;
  /** What the file of `state_path` was last known to say: as long as it says that, nobody else has written it. */
  readonly slotKept?: string;
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
  /**
   * It was wanted when the supervisor was told to end, and the next one brings it up again; or when its removal began, and it
   * comes up again if it is declared again before it is gone.
   */
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
  /** The last 20 things that happened to it and moved it nowhere, oldest first. */
  readonly incidents?: readonly Incident[];
}
