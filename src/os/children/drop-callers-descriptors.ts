// Prevents a started process from inheriting descriptors that this process has inherited, such as the lock of
// a cron job or a pipe. The started process may outlive this process and would keep them open. Node itself
// prevents this only for descriptors with numbers below the first unused number.
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

/**
 * Returns those of the descriptors that Node can replace in a child. For each of them Node needs another free
 * number that is higher and below `limit`, the limit on open files.
 */
export const replaceable = (descriptors: readonly number[], limit: number): readonly number[] =>
  descriptors.filter((descriptor) => descriptor + descriptors.length + 1 < limit);

const ownLimit = (): number => fileLimitOf(process.pid)?.soft ?? 0;

type Stdio = number | 'ignore' | 'pipe';

/**
 * Calls `begin` with the option `stdio` for the start of a child: the given entries, and `/dev/null` in place
 * of each descriptor that the child would otherwise inherit. Returns the result of `begin`.
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
