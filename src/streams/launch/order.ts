// The messages between the supervisor and a launcher.
import type { Skipped } from '../domain/service/run.ts';
import type { Stage, StepTag } from './step.ts';

/** One launcher's order: apply the steps, then become the program. Only the last stage names a program. */
export interface Order {
  readonly steps: Stage;
  readonly program?: LaunchedProgram;
}

export interface LaunchedProgram {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** What a launcher reports to the supervisor. */
export type Report =
  | ({ readonly tag: 'skipped' } & Skipped)
  /** Waits for the next order; `inside`: in a new user namespace without id maps yet. */
  | { readonly tag: 'next'; readonly inside: boolean }
  /** Continues as this process, the first of a new pid namespace. */
  | { readonly tag: 'moved'; readonly pid: number }
  /** A step was refused: the program was not run. */
  | { readonly tag: 'refused'; readonly step: StepTag; readonly key: string; readonly detail: string }
  /** No calls to the kernel are possible. */
  | { readonly tag: 'helpless'; readonly detail: string }
  /**
   * All steps are done; the program comes next. If the launcher ends without this report, the launch failed.
   */
  | { readonly tag: 'going' }
  /** The program itself could not be executed; `code` is the name of errno. */
  | { readonly tag: 'no-program'; readonly code: string };
