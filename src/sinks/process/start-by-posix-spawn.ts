// Starts a process by `posix_spawn`, with the same result as `start-by-node.ts`. The exit of the process is
// reported by the reaper of all children (`child-reaper.ts`).
// Rules: `docs/behaviour.md`, "Starting", "The process"; `docs/behaviour.md`, "Children and strays".
import { existsSync, openSync } from 'node:fs';
import type { Children } from '../../os/children/child-reaper.ts';
import { startFound } from '../../os/children/program-search.ts';
import type { StartTagged } from '../../os/children/rlimit-tag.ts';
import type { Limited } from '../../os/children/file-limit.ts';
import type { PosixSpawn } from '../../os/libc/posix-spawn.ts';
import { statReader } from '../../os/proc/process-stat.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { withUmask, type ChildPlan, type StartChild } from './start-by-node.ts';

interface PosixPorts {
  readonly spawn: PosixSpawn;
  readonly children: Pick<Children, 'endOf'>;
  /**
   * Calls a function that starts a process, while the soft limit on open files is the limit that programs
   * expect: Node has raised the limit of the supervisor.
   */
  readonly limited: Limited;
  /**
   * Calls a function that starts a process, while the rlimit tag of the run is set, which the process
   * inherits.
   */
  readonly startTagged: StartTagged;
}

export const posixStarter = ({ spawn, children, limited, startTagged }: PosixPorts): StartChild => {
  let opened: number | undefined;
  const stat = statReader();
  const begun = (plan: ChildPlan): number => {
    // `/dev/null` is opened at the first start, so that only this start fails if no descriptor is free.
    const nowhere = (opened ??= openSync('/dev/null', 'r+'));
    const {
      input = nowhere,
      output = { stdout: nowhere, stderr: nowhere },
      descriptors = [],
      argv,
      environment,
      directory,
    } = plan;
    const handed = [input, output.stdout, output.stderr, ...descriptors];
    const order = { environment, directory, descriptors: handed };
    const sought = { argv, path: environment['PATH'], directory, isThere: existsSync };
    const start = (): number =>
      startFound(sought, (program, words) => spawn({ ...order, program, argv: words }));
    return limited(Math.max(...handed), () => startTagged(environment, () => withUmask(plan, start)));
  };
  // A child without a readable start time is killed, because it could not be recognised later. The kill
  // cannot hit another process: a pid is not reused before its process is reaped.
  const identified = (pid: number): ProcessRef => {
    try {
      return { pid, startTicks: stat(pid)?.startTicks ?? 0 };
    } catch (error) {
      process.kill(pid, 'SIGKILL');
      throw error;
    }
  };
  // The function is asynchronous like `startByNode`, so that it rejects instead of throwing.
  return async (plan) => {
    const pid = begun(plan);
    const exit = children.endOf(pid);
    return Promise.resolve({ process: identified(pid), exit });
  };
};
