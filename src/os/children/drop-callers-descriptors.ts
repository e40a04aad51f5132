// A started process may outlive this one. It must not inherit descriptors that this process itself has
// inherited, such as the lock of a cron job or a pipe. Node keeps only those descriptors from a child whose
// numbers are below the first unused number.
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { O_CLOEXEC } from '../libc/descriptor-flags.ts';
import { fileLimitOf } from './file-limit.ts';

const isClosedOnExec = (descriptor: string): boolean => {
  try {
    const [, flags = '0'] =
      /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1')) ?? [];
    return (Number.parseInt(flags, 8) & O_CLOEXEC) !== 0;
  } catch {
    // The descriptor is closed by now: it belonged to the directory listing itself.
    return true;
  }
};

/** Returns the descriptors from 3 on that a started process would inherit. */
export const inheritable = (): readonly number[] =>
  readdirSync('/proc/self/fdinfo')
    .filter((descriptor) => Number(descriptor) > 2 && !isClosedOnExec(descriptor))
    .map(Number);

/** Returns the descriptors that Node can replace in a child. For each, Node needs a free higher number. */
export const replaceable = (descriptors: readonly number[], limit: number): readonly number[] =>
  descriptors.filter((descriptor) => descriptor + descriptors.length + 1 < limit);

const ownLimit = (): number => fileLimitOf(process.pid)?.soft ?? 0;

type Stdio = number | 'ignore' | 'pipe';

/**
 * Calls `begin` with the descriptors `stdio` for a child, and `/dev/null` in place of inherited descriptors.
 */
export const withNothingInherited = <T>(stdio: readonly Stdio[], begin: (stdio: Stdio[]) => T): T => {
  const nothing = openSync('/dev/null', 'r');
  try {
    const all = [...stdio];
    for (const descriptor of replaceable(inheritable(), ownLimit())) {
      while (all.length <= descriptor) all.push('ignore');
      all[descriptor] = nothing;
    }
    return begin(all);
  } finally {
    closeSync(nothing);
  }
};
