// The facts that a service's history keeps: the cause of each move, and incidents, which happened without a
// change of state. The views turn them into sentences.
import type { ServiceError } from '../errors/error.ts';
import type { ServiceId } from '../ids.ts';
import type { ExitStatus } from './exit.ts';
import type { PortConflict } from './port.ts';
import type { HealthProgress, Tag } from './service-state.ts';
import type { Instant } from '../time.ts';
import type { TimerName } from '../watch.ts';

/** The facts of an input besides its type; most types need none. */
export type CauseFacts =
  /** `fell`: the failed dependencies. */
  | { readonly of: readonly ServiceId[] }
  /** `pass-over`: the skipped dependency. */
  | { readonly dependency: ServiceId }
  /** `command-ended`; without a status it exceeded its time limit. */
  | { readonly purpose: 'skip' | 'pre_start' | 'switch'; readonly status?: ExitStatus }
  /** `spawned`. */
  | { readonly pid: number }
  /** `spawn-failed`. */
  | { readonly error: ServiceError }
  /** `exited`. */
  | { readonly status: ExitStatus }
  /** `probed`; `detail` is present for a bad answer and for no connection. */
  | { readonly probe: 'passed' | 'timed-out' | 'unreachable' | 'unhealthy'; readonly detail?: string }
  | { readonly probe: 'stranger'; readonly taken: PortConflict }
  /** `elapsed`. */
  | { readonly timer: TimerName };

/** What a user did to its main process directly, without the supervisor. */
export type Act =
  | { readonly tag: 'signal'; readonly by: 'kill' | 'reload'; readonly signal: string }
  /** Its reload command was run and exited with `status`. */
  | { readonly tag: 'command'; readonly status: ExitStatus };

export type IncidentFacts =
  /**
   * Its probes began to fail while it was up, or passed again; `streak` is the series of failures that began
   * or ended.
   */
  { readonly health: 'healthy' | 'unhealthy'; readonly streak: HealthProgress } | { readonly act: Act };

/** One line of `inspect`'s history without a change of state. */
export interface Incident {
  readonly at: Instant;
  /** The state during the incident; it did not change. */
  readonly during: Tag;
  /** The event that reported it, as the state table names it. */
  readonly cause: string;
  readonly facts: IncidentFacts;
}
