// Processes of a run that should be over, found alive by their mark. They are killed before the next run
// begins.
import type { RunId } from '../ids.ts';
import type { Instant } from '../time.ts';
import type { ProcessRef } from './process.ts';

/** Processes of a run that should be over, found by their mark. They are killed before the next run begins. */
export interface Remnant {
  readonly run: RunId;
  /** Its leader, or the oldest surviving process. */
  readonly process: ProcessRef;
  /** When the kill began. */
  readonly since: Instant;
  /** As last seen. */
  readonly alive: readonly ProcessRef[];
  /** Processes are still alive after `stop_verify_secs` (ERR0112). */
  readonly unverified?: true;
}
