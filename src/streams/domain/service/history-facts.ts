// The facts in the history of a service: causes of state changes, and incidents that changed no state. The
// views make texts from them.
import type { ServiceError } from '../errors/error.ts';
import type { ServiceId } from '../ids.ts';
import type { ExitStatus } from './exit-status.ts';
import type { PortConflict } from './port.ts';
import type { HealthProgress, Tag } from './service-state.ts';
import type { Instant } from '../time.ts';
import type { CommandPurpose, TimerName } from '../watch.ts';

/** The facts of the input that caused a state change. Most inputs have no facts. */
export type CauseFacts =
  /** For the cause `fell`: the dependencies that failed. */
  | { readonly of: readonly ServiceId[] }
  /** For the cause `admit`: the optional dependencies (`required: false`) that are not ready, if any. */
  | { readonly without: readonly ServiceId[] }
  /** For the cause `pass-over`: the skipped dependency. */
  | { readonly dependency: ServiceId }
  /** For the cause `command-ended`: the command. Without `status`, the command reached its time limit. */
  | { readonly purpose: CommandPurpose; readonly status?: ExitStatus }
  /** For the cause `spawned`: the pid of the main process. */
  | { readonly pid: number }
  /** For the cause `spawn-failed`: why no process was created. */
  | { readonly error: ServiceError }
  /** For the cause `exited`: the exit status of the main process. */
  | { readonly status: ExitStatus }
  /** For the cause `probed`: the result; `detail` says why a probe failed. */
  | {
      readonly probe: 'passed' | 'timed-out' | 'silent' | 'unreachable' | 'unhealthy';
      readonly detail?: string;
      readonly liveness?: true;
    }
  | { readonly probe: 'stranger'; readonly taken: PortConflict; readonly liveness?: true }
  /** For the cause `elapsed`: the timer that ended. */
  | { readonly timer: TimerName };

/** What a user did directly to the main process of a service, for example with `sup kill`. */
export type Act =
  | { readonly tag: 'signal'; readonly by: 'kill' | 'reload'; readonly signal: string }
  /** The service's reload command was run and exited with `status`. */
  | { readonly tag: 'command'; readonly status: ExitStatus };

export type IncidentFacts =
  /**
   * The probes of a ready service began to fail, or passed again. `streak`: the number of failures in a row.
   */
  | { readonly health: 'healthy' | 'unhealthy'; readonly streak: HealthProgress }
  | { readonly act: Act }
  /** A watched file has changed. `action`: `restart`, or the signal that was sent. */
  | { readonly changed: string; readonly action: string }
  /** Something failed that does not change the state, such as `stop_command`. */
  | { readonly error: ServiceError };

/** An incident in the history of a service: an entry that is not a state change. */
export interface Incident {
  readonly at: Instant;
  readonly during: Tag;
  /** The kind of the input to the state table that reported the incident. */
  readonly cause: string;
  readonly facts: IncidentFacts;
}
