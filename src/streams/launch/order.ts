// What the supervisor and a launcher say to each other.
import type { Skipped } from '../domain/service/skipped.ts';
import type { Stage, StepTag } from './step.ts';

/** For one launcher: do this to yourself, then become the program. Only the last stage of a launch names it. */
export interface Order {
  readonly steps: Stage;
  readonly program?: LaunchedProgram;
}

export interface LaunchedProgram {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export type Report =
  | ({ readonly tag: 'skipped' } & Skipped)
  /** The next order is waited for; `inside`: in a new user namespace, whose ids are not mapped yet. */
  | { readonly tag: 'next'; readonly inside: boolean }
  /** It goes on as this process, the first of a new pid namespace. */
  | { readonly tag: 'moved'; readonly pid: number }
  /** A step was refused: the program was not run. */
  | { readonly tag: 'refused'; readonly step: StepTag; readonly key: string; readonly detail: string }
  /** There is nothing to call the kernel with. */
  | { readonly tag: 'helpless'; readonly detail: string }
  /** All steps are done; what comes now is the program. Without it, an end of the launcher is a failed launch. */
  | { readonly tag: 'going' }
  /** The program itself could not be executed; `code` is the name of errno. */
  | { readonly tag: 'no-program'; readonly code: string };
