// The progress of the probes of one run.
import type { ServiceError } from '../errors/error.ts';
import type { Instant } from '../time.ts';

/**
 * The progress of the probes of one run. `failingSince` and `failures` describe the present series of
 * failures.
 */
export interface HealthProgress {
  readonly health: 'healthy' | 'unhealthy' | 'unknown';
  /** Failures that count towards `retries`. */
  readonly failures: number;
  readonly failingSince?: Instant;
  readonly lastCounted?: Instant;
  /** When the latest series of failures ended. */
  readonly healthySince?: Instant;
  readonly error?: ServiceError;
}
