// Effects: actions to perform once, named in the imperative. An action that lasts is a watch instead. Also
// here: the reasons why a supervisor ends by itself.
import type { Reply } from './command.ts';
import type { Hook, HookName, ServiceSpec } from './declared/spec.ts';
import type { SupError } from './errors/error.ts';
import type { RequestId, RunId, ServiceId } from './ids.ts';
import type { PastChild } from './service/child.ts';
import type { ExitStatus } from './service/exit.ts';
import type { FifoPair, ProcessRef } from './service/process.ts';
import type { Ms } from './time.ts';

/**
 * Why the supervisor ends without a request. `refused`: its manifests cannot be started. `ended`: an
 * essential service ended for good; `exit` is absent if it had no process.
 */
export type Verdict =
  | { readonly tag: 'refused' }
  | { readonly tag: 'ended'; readonly service: ServiceId; readonly exit: ExitStatus | undefined };

/** A shutdown under way. With `resume` the next supervisor starts the services that were meant to run. */
export interface Closing {
  readonly resume: boolean;
  readonly verdict?: Verdict;
}

/** The facts that a hook command receives in its environment (`SUP_HOOK`, `SUP_PID`, `SUP_EXIT_CODE`, …). */
export interface HookOccasion {
  readonly name: HookName;
  readonly run: RunId;
  readonly pid?: number;
  readonly exit?: ExitStatus;
  readonly attempt: number;
  readonly error?: SupError;
}

/** The facts of a line of the supervisor's own log. The text is made where the line is written. */
export type NoteFacts =
  | { readonly tag: 'child-began'; readonly name: string; readonly run: RunId; readonly pid: number }
  | { readonly tag: 'child-ended'; readonly past: PastChild }
  /** The wall clock was set. `by` is the step, negative if the clock was set back. */
  | { readonly tag: 'clock-set'; readonly by: Ms }
  /** A command that no client waits for has failed. */
  | { readonly tag: 'command-failed'; readonly error: SupError };

/** A line for the supervisor's own log, as text. */
export interface WordedNote {
  readonly type: 'note';
  readonly level: 'info' | 'warn' | 'error';
  readonly service?: ServiceId;
  readonly text: string;
}

export type Effect =
  | {
      readonly type: 'spawn';
      readonly service: ServiceId;
      readonly run: RunId;
      readonly spec: ServiceSpec;
      /** The pair of FIFOs that the run writes its output into. */
      readonly lane: FifoPair;
      /**
       * The name of the child to start; absent for a run of the service itself. A child has its own output
       * stream.
       */
      readonly child?: string;
    }
  /**
   * Sends a signal to the targets. The start time of each target is verified first, since a pid can be
   * reused. For SIGKILL the process scan is repeated until it finds no new process.
   */
  | {
      readonly type: 'signal';
      readonly service: ServiceId;
      readonly run: RunId;
      readonly leader: ProcessRef;
      readonly targets: readonly ProcessRef[];
      readonly signal: string;
    }
  | {
      readonly type: 'run-hook';
      readonly spec: ServiceSpec;
      readonly hook: Hook;
      readonly occasion: HookOccasion;
    }
  /** Writes the name of the slot that has the traffic into a file that other programs read (`state_path`). */
  | { readonly type: 'keep-slot'; readonly service: ServiceId; readonly path: string; readonly slot: string }
  | { readonly type: 'reply'; readonly request: RequestId; readonly reply: Reply }
  /** Writes a line into the supervisor's own log. */
  | WordedNote
  | (Omit<WordedNote, 'text'> & { readonly facts: NoteFacts })
  /** Ends the supervisor. All services are stopped already. */
  | { readonly type: 'quit'; readonly verdict?: Verdict };

/** The effect with this type. */
export type EffectOf<T extends Effect['type']> = Extract<Effect, { type: T }>;
