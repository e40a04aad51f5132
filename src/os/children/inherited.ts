// What somebody who is to outlive his caller would have of that caller's own callers: a lock of a cron job, the end of a pipe.
// Node keeps from others only the lowest descriptors that it was given, up to a gap.
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';

const CLOSED_ON_EXEC = 0o2_000_000;

const isClosedOnExec = (descriptor: string): boolean => {
  try {
    const [, flags = '0'] =
      /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1')) ?? [];
    return (Number.parseInt(flags, 8) & CLOSED_ON_EXEC) !== 0;
  } catch {
    // The one of this very look.
    return true;
  }
};

/** From 3 on, what whoever is started has too. */
const inheritable = (): readonly number[] =>
  readdirSync('/proc/self/fdinfo')
    .filter((descriptor) => Number(descriptor) > 2 && !isClosedOnExec(descriptor))
    .map(Number);

type Stdio = number | 'ignore' | 'pipe';

/** Begins somebody with `stdio` and, where he would inherit more, `/dev/null`: `spawn` of Node can replace, not close. */
export const withNothingInherited = <T>(stdio: readonly Stdio[], begin: (stdio: Stdio[]) => T): T => {
  const nothing = openSync('/dev/null', 'r');
  try {
    const all = [...stdio];
    for (const descriptor of inheritable()) {
      while (all.length <= descriptor) all.push('ignore');
      all[descriptor] = nothing;
    }
    return begin(all);
  } finally {
    closeSync(nothing);
  }
};
