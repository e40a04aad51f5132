// The facts that a service's history keeps: the cause of each state change, and incidents, which changed no
// state. The views turn them into sentences.
import type { ServiceError } from '../errors/error.ts';
import type { ServiceId } from '../ids.ts';
import type { ExitStatus } from './exit.ts';
import type { PortConflict } from './port.ts';
import type { HealthProgress, Tag } from './service-state.ts';
import type { Instant } from '../time.ts';
import type { TimerName } from '../watch.ts';

/** Facts about the input that caused a state change; most types of input have none. */
export type CauseFacts =
  /** `fell`: the failed dependencies. */
  | { readonly of: readonly ServiceId[] }
  /** `pass-over`: the skipped dependency. */
  | { readonly dependency: ServiceId }
  /** `command-ended`: without `status` the command reached its time limit. */
  | { readonly purpose: 'skip' | 'pre_start' | 'switch'; readonly status?: ExitStatus }
  /** `spawned`: the pid of the leader. */
  | { readonly pid: number }
  /** `spawn-failed`: why no process was created. */
  | { readonly error: ServiceError }
  /** `exited`: the exit status of the leader. */
  | { readonly status: ExitStatus }
  /** `probed`: `detail` is present for a bad answer and for a failed connection. */
  | { readonly probe: 'passed' | 'timed-out' | 'unreachable' | 'unhealthy'; readonly detail?: string }
  | { readonly probe: 'stranger'; readonly taken: PortConflict }
  /** `elapsed`: the timer that ended. */
  | { readonly timer: TimerName };

/** What a user did to a service's main process directly, without the supervisor. */
export type Act =
  | { readonly tag: 'signal'; readonly by: 'kill' | 'reload'; readonly signal: string }
  /** The service's reload command was run and exited with `status`. */
  | { readonly tag: 'command'; readonly status: ExitStatus };

export type IncidentFacts =
  /**
   * The probes of an `up` service began to fail, or passed again. `streak` is the series of failures that
   * began or ended.
   */
  { readonly health: 'healthy' | 'unhealthy'; readonly streak: HealthProgress } | { readonly act: Act };

/** One entry of `inspect`'s history without a state change. */
export interface Incident {
  readonly at: Instant;
  /** The state during the incident; it did not change. */
  readonly during: Tag;
  /** The input that reported the incident, as the state table names it. */
  readonly cause: string;
  readonly facts: IncidentFacts;
}
