// How the probes of one run are doing.
import type { ServiceError } from '../errors/error.ts';
import type { Instant } from '../time.ts';

/** How the probes of one run are doing. `failingSince` and `failures` describe the present losing streak. */
export interface HealthProgress {
  readonly health: 'healthy' | 'unhealthy' | 'unknown';
  /** Failures that count towards `retries`. */
  readonly failures: number;
  readonly failingSince?: Instant;
  readonly lastCounted?: Instant;
  /** Since the latest losing streak was over. */
  readonly healthySince?: Instant;
  readonly error?: ServiceError;
}
