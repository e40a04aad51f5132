// Effects: actions that the supervisor performs once, such as starting a process. An observation that lasts
// is a watch (`watch.ts`).
import type { Command, Reply, Report } from './command.ts';
import type { Hook, HookName, ServiceSpec } from './declared/spec.ts';
import type { SupError } from './errors/error.ts';
import type { RequestId, RunId, ServiceId } from './ids.ts';
import type { PastChild } from './service/child.ts';
import type { ExitStatus } from './service/exit-status.ts';
import type { FifoPair, ProcessRef } from './service/process.ts';
import type { Ms } from './time.ts';

/**
 * Why a supervisor ends without a command: its manifests cannot be started, or an essential service ended.
 */
export type EndReason =
  | { readonly tag: 'refused' }
  | { readonly tag: 'ended'; readonly service: ServiceId; readonly exit: ExitStatus | undefined };

/** A shutdown in progress. `resume`: the next supervisor starts the services that should be up. */
export interface Closing {
  readonly resume: boolean;
  readonly verdict?: EndReason;
}

/** The facts that a hook command gets in its environment (`SUP_HOOK`, `SUP_PID`, `SUP_EXIT_CODE`, …). */
export interface HookOccasion {
  readonly name: HookName;
  readonly run: RunId;
  readonly pid?: number;
  readonly exit?: ExitStatus;
  readonly attempt: number;
  readonly error?: SupError;
}

/** The facts of a line of the supervisor's own log. The text is made from them when the line is written. */
export type NoteFacts =
  | { readonly tag: 'child-began'; readonly name: string; readonly run: RunId; readonly pid: number }
  | { readonly tag: 'child-ended'; readonly past: PastChild }
  /** The wall clock was set. `by`: the change in ms, negative if the clock was set back. */
  | { readonly tag: 'clock-set'; readonly by: Ms }
  /** A watched file changed. `action`: `restart`, or the signal that was sent. */
  | { readonly tag: 'file-changed'; readonly changed: string; readonly action: string }
  /** A command failed, and no client waits for its answer. */
  | { readonly tag: 'command-failed'; readonly error: SupError };

/** A line of the supervisor's own log, with its text. */
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
      /** The FIFOs for the output of the run. */
      readonly fifoPair: FifoPair;
      /** The name of the child to start, which has its own output stream. Absent for a run of the service. */
      readonly child?: string;
    }
  /**
   * Sends a signal to the targets. A target whose pid now belongs to a process with another start time is
   * left out. SIGKILL is repeated until a process scan finds no target.
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
  /** Writes the slot that gets the traffic to `state_path`, which other programs read. */
  | { readonly type: 'keep-slot'; readonly service: ServiceId; readonly path: string; readonly slot: string }
  /**
   * Answers a request. `asked`: the command of the request. It is present only if the client named its
   * origin, because such a command is recorded.
   */
  | {
      readonly type: 'reply';
      readonly request: RequestId;
      readonly reply: Reply;
      readonly asked?: { readonly command: Command; readonly origin: string };
    }
  /**
   * Records an event that a service reports. `missed`: how many events of the service were refused since the
   * last event that was recorded for it.
   */
  | {
      readonly type: 'report';
      readonly service: ServiceId;
      readonly run: RunId;
      readonly report: Report;
      readonly missed: number;
    }
  /** Writes a line to the supervisor's own log, from its text or from the facts for the text. */
  | WordedNote
  | (Omit<WordedNote, 'text'> & { readonly facts: NoteFacts })
  /** Ends the supervisor, after all services have stopped. */
  | { readonly type: 'quit'; readonly endReason?: EndReason };

export type EffectOf<T extends Effect['type']> = Extract<Effect, { type: T }>;
