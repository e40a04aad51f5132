// The facts of what moved a service, as its history keeps them. Sentences are made of them where they are shown.
import type { ServiceError } from '../errors/error.ts';
import type { ExitStatus } from './exit.ts';
import type { ServiceId } from '../ids.ts';
import type { Taken } from './port.ts';
import type { TimerName } from '../watch.ts';

/** What an input told beside its type; inputs that say all by their type have none. */
export type CauseFacts =
  /** `fell`: who failed. */
  | { readonly of: readonly ServiceId[] }
  /** `pass-over`: who was skipped. */
  | { readonly dependency: ServiceId }
  /** `command-ended`; without a status it exceeded its budget. */
  | { readonly purpose: 'skip' | 'pre_start' | 'switch'; readonly status?: ExitStatus }
  /** `spawned`. */
  | { readonly pid: number }
  /** `spawn-failed`. */
  | { readonly error: ServiceError }
  /** `exited`. */
  | { readonly status: ExitStatus }
  /** `probed`; `detail` of a bad answer and of none at all. */
  | { readonly probe: 'passed' | 'timed-out' | 'unreachable' | 'unhealthy'; readonly detail?: string }
  | { readonly probe: 'stranger'; readonly taken: Taken }
  /** `elapsed`. */
  | { readonly timer: TimerName };
