// The facts of a move's cause, as the service's history keeps them. The views turn them into sentences.
import type { ServiceError } from '../errors/error.ts';
import type { ExitStatus } from './exit.ts';
import type { ServiceId } from '../ids.ts';
import type { Taken } from './port.ts';
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
  | { readonly probe: 'stranger'; readonly taken: Taken }
  /** `elapsed`. */
  | { readonly timer: TimerName };
