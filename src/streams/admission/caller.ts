// A process that connects to the control socket, as the kernel describes it (read by
// `src/sources/control/caller-process.ts`).
import type { ProcessRef } from '../domain/service/process.ts';

/** The caller or one of its ancestors. */
export interface Link extends ProcessRef {
  readonly session: number;
  readonly group: number;
  /** The mark in its environment, if that names this supervisor: `<service>#<run>`. */
  readonly mark?: string;
  /** The number of its inherited rlimit tag. */
  readonly tag?: string;
}

/** Restrictions that a process cannot undo, compared with the supervisor's. */
export interface Restrictions {
  readonly noNewPrivileges: boolean;
  readonly seccomp: boolean;
  /** Fewer capabilities in its bounding set than in the supervisor's. */
  readonly fewerCapabilities: boolean;
  /** True in another user or pid namespace. */
  readonly otherNamespace: boolean;
}

/** A process that connects to the control socket. */
export type Caller =
  | {
      readonly tag: 'known';
      /** From the caller upwards; ends below the supervisor, or below pid 1. */
      readonly line: readonly Link[];
      /**
       * True if the line ends at the supervisor: the caller descends from it, or is an orphan that it
       * adopted.
       */
      readonly isBelowSupervisor: boolean;
      readonly restrictions: Restrictions;
    }
  /** The kernel can be asked, but does not identify the process. */
  | { readonly tag: 'unknown'; readonly detail: string }
  /** The kernel cannot be asked, so no service was confined either. */
  | { readonly tag: 'unasked' };
