// A new process by `posix_spawn`, where the C library has it: see `child.ts` for what it is like. Its end comes from the
// collector of all children.
import { existsSync, openSync } from 'node:fs';
import type { Children } from '../../os/children/children.ts';
import { startFound } from '../../os/children/program-search.ts';
import type { Born } from '../../os/children/birthmark.ts';
import type { Limited } from '../../os/children/soft-files.ts';
import type { PosixSpawn } from '../../os/libc/spawn.ts';
import { statReader } from '../../os/proc/proc-stat.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { withUmask, type ChildPlan, type StartChild } from './child.ts';

interface PosixPorts {
  readonly spawn: PosixSpawn;
  readonly children: Pick<Children, 'endOf'>;
  /** Starts one with the soft limit on open files that it is to have. */
  readonly limited: Limited;
  /** Starts one with the mark of its run. */
  readonly born: Born;
}

export const posixStarter = ({ spawn, children, limited, born }: PosixPorts): StartChild => {
  let opened: number | undefined;
  const stat = statReader();
  const begun = (plan: ChildPlan): number => {
    // With the first start: where there is no descriptor left it is that start which is refused.
    const nowhere = (opened ??= openSync('/dev/null', 'r+'));
    const {
      output = { stdout: nowhere, stderr: nowhere },
      descriptors = [],
      argv,
      environment,
      directory,
    } = plan;
    const handed = [nowhere, output.stdout, output.stderr, ...descriptors];
    const order = { environment, directory, descriptors: handed };
    const sought = { argv, path: environment['PATH'], directory, isThere: existsSync };
    const start = (): number =>
      startFound(sought, (program, words) => spawn({ ...order, program, argv: words }));
    return limited(Math.max(...handed), () => born(environment, () => withUmask(plan, start)));
  };
  // Nobody would know it again: better that it is not there. It is our child, so that its pid is still its own.
  const identified = (pid: number): ProcessRef => {
    try {
      return { pid, startTicks: stat(pid)?.startTicks ?? 0 };
    } catch (error) {
      process.kill(pid, 'SIGKILL');
      throw error;
    }
  };
  // Asynchronous as Node's own is for whoever calls: what is refused is a rejection.
  return async (plan) => {
    const pid = begun(plan);
    const exit = children.endOf(pid);
    return Promise.resolve({ process: identified(pid), exit });
  };
};
