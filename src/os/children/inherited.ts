// Keeps inherited descriptors from a process that must outlive its caller: a lock of a cron job, the end of a
// pipe. Node closes only the lowest descriptors that it was given, up to a gap.
import { closeSync, openSync } from 'node:fs';
import { fileLimitOf } from './file-limit.ts';
import { inheritable, replaceable } from './inheritable.ts';

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
