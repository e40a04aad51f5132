// Starts a process by Node, in its own session and with standard input from /dev/null. Its identity is read
// and the wait for its exit begins in the tick of the spawn, because a short-lived process could otherwise be
// missed.
import { spawn, type ChildProcess } from 'node:child_process';
import type { ExitStatus } from '../../streams/domain/service/exit.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { statOf } from '../../os/proc/process-stat.ts';

export interface ChildPlan {
  readonly argv: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Descriptor for standard input; used only if a launcher starts the process. Absent: /dev/null. */
  readonly input?: number;
  /** Descriptors for standard output and error. Absent: /dev/null. */
  readonly output?: { readonly stdout: number; readonly stderr: number };
  /**
   * File mode creation mask. Absent: the supervisor's own. Ignored if a launcher starts the process, because
   * it sets the mask itself.
   */
  readonly umask?: number;
  /** Descriptors that the program gets as 3, 4 and so on. */
  readonly descriptors?: readonly number[];
}

export interface StartedChild {
  readonly process: ProcessRef;
  readonly exit: Promise<ExitStatus>;
}

/**
 * Returns the arguments that run the command in a shell. The path is fixed, because a service's own PATH need
 * not contain a shell.
 */
export const shell = (command: string): readonly string[] => ['/bin/sh', '-c', command];

const stdioOf = ({ output, descriptors = [] }: ChildPlan): ('ignore' | number)[] => [
  'ignore',
  output?.stdout ?? 'ignore',
  output?.stderr ?? 'ignore',
  ...descriptors,
];

/**
 * Runs `start` while this process has the given umask, which a child inherits. Node's other threads may
 * create files in that time. That is harmless: such files get modes for the owner only, and a declared mask
 * removes no right of the owner.
 */
export const withUmask = <T>({ umask }: Pick<ChildPlan, 'umask'>, start: () => T): T => {
  if (umask === undefined) return start();
  const own = process.umask(umask);
  try {
    return start();
  } finally {
    process.umask(own);
  }
};

/** Starts a process. Rejects with the system's error if that fails; `explainRefusal` explains the error. */
export type StartChild = (plan: ChildPlan) => Promise<StartedChild>;

/** Resolves with the exit status of a child that Node has started. Call it in the tick of the spawn. */
export const exitOfChild = (child: ChildProcess): Promise<ExitStatus> =>
  new Promise((settle) => {
    child.once('exit', (code, signal) => {
      if (signal !== null) settle({ tag: 'signal', signal });
      else settle(code === null ? { tag: 'unknown' } : { tag: 'code', code });
    });
  });

/** Starts a process by Node. Used only if the C library cannot be called; otherwise see `posix-child.ts`. */
export const startByNode: StartChild = (plan) =>
  new Promise((resolve, reject) => {
    const [program = '', ...args] = plan.argv;
    const child = withUmask(plan, () =>
      spawn(program, args, {
        cwd: plan.directory,
        env: plan.environment,
        detached: true,
        stdio: stdioOf(plan),
      }),
    );
    // This listener is never removed: without one, an `error` event would end the supervisor.
    child.on('error', reject);
    const exit = exitOfChild(child);
    const { pid } = child;
    if (pid !== undefined) resolve({ process: { pid, startTicks: statOf(pid)?.startTicks ?? 0 }, exit });
  });
