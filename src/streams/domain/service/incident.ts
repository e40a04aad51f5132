// What happened to a service and moved it to no other state: its history tells it beside its moves.
import type { ExitStatus } from './exit.ts';
import type { HealthProgress } from './health.ts';
import type { Tag } from './state.ts';
import type { Instant } from '../time.ts';

/** What a person did to its main process, past the supervisor. */
export type Act =
  | { readonly tag: 'signal'; readonly by: 'kill' | 'reload'; readonly signal: string }
  /** Its reload command was run, and ended so. */
  | { readonly tag: 'command'; readonly status: ExitStatus };

export type IncidentFacts =
  /** Its probes begin to fail while it is up, or pass again; `streak` is the losing streak that began or is over. */
  { readonly health: 'healthy' | 'unhealthy'; readonly streak: HealthProgress } | { readonly act: Act };

/** One line of `inspect`'s history that is no move. */
export interface Incident {
  readonly at: Instant;
  /** The state that it was in, and stayed in. */
  readonly during: Tag;
  /** The event that told it, as the state table names it. */
  readonly cause: string;
  readonly facts: IncidentFacts;
}
