// Context for writing an event.
import type { Instant } from '../../domain/time.ts';
import type { LookUp } from '../snapshot.ts';

export interface EventContext {
  readonly at: Instant;
  /** The services after the step. */
  readonly byId: LookUp;
}
