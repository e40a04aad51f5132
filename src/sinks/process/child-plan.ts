// Starts a process in its own session, with standard input from /dev/null. Its identity is read, and its exit
// listened to, in the tick of the spawn: later is too late.
import { spawn, type ChildProcess } from 'node:child_process';
import type { ExitStatus } from '../../streams/domain/service/exit.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { statOf } from '../../os/proc/process-stat.ts';

export interface ChildPlan {
  readonly argv: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Standard input of a process started by a launcher; absent: /dev/null. */
  readonly input?: number;
  /** Descriptors for standard output and error; absent: /dev/null. */
  readonly output?: { readonly stdout: number; readonly stderr: number };
  /** File mode creation mask; absent: the supervisor's own. A launcher sets it itself. */
  readonly umask?: number;
  /** Descriptors from 3 on. */
  readonly descriptors?: readonly number[];
}

export interface StartedChild {
  readonly process: ProcessRef;
  readonly exit: Promise<ExitStatus>;
}

/** The argument vector of a shell. The path is fixed: a service's own PATH need not contain a shell. */
export const shell = (command: string): readonly string[] => ['/bin/sh', '-c', command];

const stdioOf = ({ output, descriptors = [] }: ChildPlan): ('ignore' | number)[] => [
  'ignore',
  output?.stdout ?? 'ignore',
  output?.stderr ?? 'ignore',
  ...descriptors,
];

/**
 * Runs `start` with the mask, which a child inherits. Node's threads may create files meanwhile: those have
 * modes for the owner alone, and a declared mask takes nothing from the owner.
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

/** Starts a process. Rejects with the system's error if that fails; `explainRefusal` explains it. */
export type StartChild = (plan: ChildPlan) => Promise<StartedChild>;

/** The exit of a child of Node's; must be called in the tick of its spawn. */
export const exitOfChild = (child: ChildProcess): Promise<ExitStatus> =>
  new Promise((settle) => {
    child.once('exit', (code, signal) => {
      if (signal !== null) settle({ tag: 'signal', signal });
      else settle(code === null ? { tag: 'unknown' } : { tag: 'code', code });
    });
  });

/** Starts a process by Node, where the C library cannot be called: see `posix-child.ts`. */
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
    // Never removed: an `error` event without a listener would end the supervisor.
    child.on('error', reject);
    const exit = exitOfChild(child);
    const { pid } = child;
    if (pid !== undefined) resolve({ process: { pid, startTicks: statOf(pid)?.startTicks ?? 0 }, exit });
  });
