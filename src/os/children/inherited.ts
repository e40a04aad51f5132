// What somebody who is to outlive his caller would have of that caller's own callers: a lock of a cron job, the end of a pipe.
// Node keeps from others only the lowest descriptors that it was given, up to a gap.
import { closeSync, openSync } from 'node:fs';
import { fileLimitOf } from './file-limit.ts';
import { inheritable, replaceable } from './inheritable.ts';

const ownLimit = (): number => fileLimitOf(process.pid)?.soft ?? 0;

type Stdio = number | 'ignore' | 'pipe';

/** Begins somebody with `stdio` and, where he would inherit more, `/dev/null`: `spawn` of Node can replace, not close. */
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
