// Incidents: what happened to a service without a change of state. Its history shows them with its moves.
import type { ExitStatus } from './exit.ts';
import type { HealthProgress } from './health.ts';
import type { Tag } from './state.ts';
import type { Instant } from '../time.ts';

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
