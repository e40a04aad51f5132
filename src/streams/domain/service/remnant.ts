// What is left of a run that should be over: found alive by its mark, hunted, and gone before the next run begins.
import type { RunId } from '../ids.ts';
import type { Instant } from '../time.ts';
import type { ProcessRef } from './process.ts';

export interface Remnant {
  readonly run: RunId;
  /** Its leader, or the first-born of who is left. */
  readonly process: ProcessRef;
  /** When the hunt began. */
  readonly since: Instant;
  /** As last seen. */
  readonly alive: readonly ProcessRef[];
  /** It is still there although `stop_verify_secs` are spent (ERR0112). */
  readonly unverified?: true;
}
