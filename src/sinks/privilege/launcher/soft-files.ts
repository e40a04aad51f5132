// The soft limit on open files of a service that declares none: what whoever called `sup` had. The launcher is told, since
// Node raises its own when it starts.
import type { Libc } from '../../../os/libc.ts';
import { readLimit, setLimit } from '../../../os/libc/confinement/limits.ts';
import type { Step } from '../../../streams/launch/step.ts';

const ARGUMENT = '--soft-files=';

/** How a launcher is told; nothing where nobody knows. */
export const softFilesArgument = (soft: number | undefined): readonly string[] =>
  soft === undefined ? [] : [`${ARGUMENT}${soft}`];

interface SoftFiles {
  /** Before each step: one may be the declared limit, and after a filter of system calls none can be set any more. */
  readonly before: (libc: Libc, step: Step) => void;
  /** Right before the program begins. */
  readonly restore: (libc: Libc) => void;
}

/** What the command line of a launcher tells. */
export const softFilesIn = (argv: readonly string[]): number | undefined => {
  const told = argv.find((word) => word.startsWith(ARGUMENT))?.slice(ARGUMENT.length);
  return told === undefined ? undefined : Number(told);
};

/** `soft`: nothing where nobody knows. */
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
