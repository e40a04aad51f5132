// What an event is told with, beside what happened.
import type { Instant } from '../../domain/time.ts';
import type { LookUp } from '../snapshot.ts';

export interface EventContext {
  readonly at: Instant;
  /** The services after the step. */
  readonly byId: LookUp;
}
