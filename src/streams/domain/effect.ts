// What to do, once. Imperative. Whatever lasts is a watch instead.
import type { Reply } from './command.ts';
import type { Verdict } from './end.ts';
import type { SupError } from './errors/error.ts';
import type { ExitStatus } from './service/exit.ts';
import type { RequestId, RunId, ServiceId } from './ids.ts';
import type { Lane, ProcessRef } from './service/process.ts';
import type { Hook, HookName, ServiceSpec } from './declared/spec.ts';

/** What a hook is told about its occasion (`SUP_HOOK`, `SUP_PID`, `SUP_EXIT_CODE`, …). */
export interface HookOccasion {
  readonly name: HookName;
  readonly run: RunId;
  readonly pid?: number;
  readonly exit?: ExitStatus;
  readonly attempt: number;
  readonly error?: SupError;
}

export type Effect =
  | {
      readonly type: 'spawn';
      readonly service: ServiceId;
      readonly run: RunId;
      readonly spec: ServiceSpec;
      /** Which pair of FIFOs it gets. */
      readonly lane: Lane;
      /** It is a child of that name: it has an outlet of its own. */
      readonly child?: string;
    }
  /** `targets` are verified by start time before anything is sent. SIGKILL hunts: it looks again until nobody new turns up. */
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
  /** Where the traffic goes, in a file of its own, for others to read (`state_path`). */
  | { readonly type: 'keep-slot'; readonly service: ServiceId; readonly path: string; readonly slot: string }
  | { readonly type: 'reply'; readonly request: RequestId; readonly reply: Reply }
  /** A line of the supervisor's own log. */
  | {
      readonly type: 'note';
      readonly level: 'info' | 'warn' | 'error';
      readonly service?: ServiceId;
      readonly text: string;
    }
  /** Everything is stopped: end the supervisor. */
  | { readonly type: 'quit'; readonly verdict?: Verdict };

/** The effect with this type. */
export type EffectOf<T extends Effect['type']> = Extract<Effect, { type: T }>;
