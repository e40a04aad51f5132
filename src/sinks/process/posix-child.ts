// Starts a process by `posix_spawn`, where the C library has it: see `child.ts` for its properties. Its exit
// comes from the collector of all children.
import { existsSync, openSync } from 'node:fs';
import type { Children } from '../../os/children/child-reaper.ts';
import { startFound } from '../../os/children/program-search.ts';
import type { Born } from '../../os/children/birthmark.ts';
import type { Limited } from '../../os/children/file-limit.ts';
import type { PosixSpawn } from '../../os/libc/posix-spawn.ts';
import { statReader } from '../../os/proc/process-stat.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { withUmask, type ChildPlan, type StartChild } from './child-plan.ts';

interface PosixPorts {
  readonly spawn: PosixSpawn;
  readonly children: Pick<Children, 'endOf'>;
  /** Starts a process with the soft limit on open files that it needs. */
  readonly limited: Limited;
  /** Starts a process with the mark of its run. */
  readonly born: Born;
}

export const posixStarter = ({ spawn, children, limited, born }: PosixPorts): StartChild => {
  let opened: number | undefined;
  const stat = statReader();
  const begun = (plan: ChildPlan): number => {
    // Opened with the first start: if no descriptor is free, that start is refused.
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
  // A process that cannot be identified later is killed. It is our child, so its pid is not reused yet.
  const identified = (pid: number): ProcessRef => {
    try {
      return { pid, startTicks: stat(pid)?.startTicks ?? 0 };
    } catch (error) {
      process.kill(pid, 'SIGKILL');
      throw error;
    }
  };
  // Asynchronous like Node's own: a refusal is a rejection.
  return async (plan) => {
    const pid = begun(plan);
    const exit = children.endOf(pid);
    return Promise.resolve({ process: identified(pid), exit });
  };
};
