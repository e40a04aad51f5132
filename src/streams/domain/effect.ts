// Effects: actions that the supervisor performs once, such as starting a process. An observation that lasts
// is a watch instead (`watch.ts`). This file also has the reasons for which a supervisor ends by itself.
import type { Reply } from './command.ts';
import type { Hook, HookName, ServiceSpec } from './declared/spec.ts';
import type { SupError } from './errors/error.ts';
import type { RequestId, RunId, ServiceId } from './ids.ts';
import type { PastChild } from './service/child.ts';
import type { ExitStatus } from './service/exit.ts';
import type { FifoPair, ProcessRef } from './service/process.ts';
import type { Ms } from './time.ts';

/**
 * Why the supervisor ends although no user asked for it. `refused`: its manifests cannot be started. `ended`:
 * an essential service ended and is not restarted; `exit` is absent if that service had no process.
 */
export type Verdict =
  | { readonly tag: 'refused' }
  | { readonly tag: 'ended'; readonly service: ServiceId; readonly exit: ExitStatus | undefined };

/**
 * A shutdown of the supervisor in progress. If `resume` is true, the next supervisor starts the services that
 * should run.
 */
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

/** The facts from which a line of the supervisor's own log is made when it is written. */
export type NoteFacts =
  | { readonly tag: 'child-began'; readonly name: string; readonly run: RunId; readonly pid: number }
  | { readonly tag: 'child-ended'; readonly past: PastChild }
  /** The wall clock was set. `by` is the change of the clock, ms, negative if the clock was set back. */
  | { readonly tag: 'clock-set'; readonly by: Ms }
  /** A command that no client waits for has failed. */
  | { readonly tag: 'command-failed'; readonly error: SupError };

/** A line for the supervisor's own log with a complete text. */
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
       * The name of the child process to start, which gets its own output stream; absent for a run of the
       * service itself.
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
  /**
   * Writes the name of the slot that gets the traffic into the `state_path` file, which other programs read.
   */
  | { readonly type: 'keep-slot'; readonly service: ServiceId; readonly path: string; readonly slot: string }
  | { readonly type: 'reply'; readonly request: RequestId; readonly reply: Reply }
  /** Writes a line into the supervisor's own log: as text, or as the facts from which the text is made. */
  | WordedNote
  | (Omit<WordedNote, 'text'> & { readonly facts: NoteFacts })
  /** Ends the supervisor. All services are stopped already. */
  | { readonly type: 'quit'; readonly verdict?: Verdict };

/** The effect type with this `type` tag. */
export type EffectOf<T extends Effect['type']> = Extract<Effect, { type: T }>;
