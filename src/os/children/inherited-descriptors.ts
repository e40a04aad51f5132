// Keeps inherited descriptors from a process that must outlive its caller: a lock of a cron job, the end of a
// pipe. Node closes only the lowest descriptors that it was given, up to a gap.
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { fileLimitOf } from './file-limit.ts';

const CLOSED_ON_EXEC = 0o2_000_000;

const isClosedOnExec = (descriptor: string): boolean => {
  try {
    const [, flags = '0'] =
      /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1')) ?? [];
    return (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) !== 0;
  } catch {
    // The descriptor of this directory listing.
    return true;
  }
};

/** The descriptors from 3 on that a started process inherits. */
export const inheritable = (): readonly number[] =>
  readdirSync('/proc/self/fdinfo')
    .filter((descriptor) => Number(descriptor) > 2 && !isClosedOnExec(descriptor))
    .map(Number);

/** The descriptors that Node can replace: to do so it needs a free number above for each. */
export const replaceable = (descriptors: readonly number[], limit: number): readonly number[] =>
  descriptors.filter((descriptor) => descriptor + descriptors.length + 1 < limit);

const ownLimit = (): number => fileLimitOf(process.pid)?.soft ?? 0;

type Stdio = number | 'ignore' | 'pipe';

/**
 * Starts a process with `stdio` and with `/dev/null` for all else it would inherit: Node's `spawn` can
 * replace, not close.
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
