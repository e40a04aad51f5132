// The soft limit on open files for a service that declares none: the limit of the process that called `sup`.
// The launcher receives it as an argument, since Node raises its own when it starts.
import type { Libc } from '../../../os/libc.ts';
import { readLimit, setLimit } from '../../../os/libc/confinement/limits.ts';
import type { Step } from '../../../streams/launch/step.ts';

const ARGUMENT = '--soft-files=';

/** The argument that passes the limit to a launcher; empty if the limit is unknown. */
export const softFilesArgument = (soft: number | undefined): readonly string[] =>
  soft === undefined ? [] : [`${ARGUMENT}${soft}`];

interface SoftFiles {
  /**
   * Called before each step: a step may set the declared limit, and after a system call filter no limit can
   * be set.
   */
  readonly before: (libc: Libc, step: Step) => void;
  /** Called right before the exec. */
  readonly restore: (libc: Libc) => void;
}

/** The limit in a launcher's command line. */
export const softFilesIn = (argv: readonly string[]): number | undefined => {
  const told = argv.find((word) => word.startsWith(ARGUMENT))?.slice(ARGUMENT.length);
  return told === undefined ? undefined : Number(told);
};

/** Restores the soft limit in time. `soft`: undefined if unknown. */
export const softFilesOf = (soft: number | undefined): SoftFiles => {
  let open = soft !== undefined;
  const restore = (libc: Libc): void => {
    if (!open || soft === undefined) return;
    open = false;
    setLimit(libc, 'nofile', { soft, hard: readLimit(libc, 'nofile').hard });
  };
  return {
    before: (libc, step) => {
      if (step.tag === 'limit' && step.resource === 'nofile' && !step.atLeast) open = false;
      if (step.tag === 'seccomp') restore(libc);
    },
    restore,
  };
};
