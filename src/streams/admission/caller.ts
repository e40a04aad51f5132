// A process that connects to the control socket, as the kernel describes it (`src/sources/control/caller.ts` reads it).
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

/** What a process cannot take back once it is on; compared with the supervisor itself. */
export interface Restrictions {
  readonly noNewPrivileges: boolean;
  readonly seccomp: boolean;
  /** Its bounding set lacks capabilities that the supervisor's has. */
  readonly fewerCapabilities: boolean;
  /** It is in another user or pid namespace. */
  readonly otherNamespace: boolean;
}

export type Caller =
  | {
      readonly tag: 'known';
      /** From the caller upwards; ends below the supervisor, or below the first process of the machine. */
      readonly line: readonly Link[];
      /** The line ends at the supervisor: the caller is a descendant of it, or lost its parents and was adopted by it. */
      readonly isBelowSupervisor: boolean;
      readonly restrictions: Restrictions;
    }
  /** The kernel can be asked, and does not say which process it is. */
  | { readonly tag: 'unknown'; readonly detail: string }
  /** The kernel cannot be asked: then no service was confined either. */
  | { readonly tag: 'unasked' };
