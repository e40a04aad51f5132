// Starts a process by Node, in its own session and with /dev/null as standard input. Reads the identity of
// the process and awaits its exit in the tick of the spawn, because in a later tick a short-lived process may
// be gone.
// Rules: `docs/behaviour.md`, "Starting", "The process"; `docs/behaviour.md`, "Children and strays".
import { spawn, type ChildProcess } from 'node:child_process';
import type { ExitStatus } from '../../streams/domain/service/exit-status.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { statOf } from '../../os/proc/process-stat.ts';

export interface ChildPlan {
  readonly argv: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The descriptor for standard input; absent: /dev/null. */
  readonly input?: number;
  /** Descriptors for standard output and error; absent: /dev/null. */
  readonly output?: { readonly stdout: number; readonly stderr: number };
  /**
   * The file mode mask of the program; absent: the mask of the supervisor. If a launcher is used, the
   * launcher sets the mask.
   */
  readonly umask?: number;
  /** Descriptors that the program gets as 3, 4 and so on. */
  readonly descriptors?: readonly number[];
}

export interface StartedChild {
  readonly process: ProcessRef;
  readonly exit: Promise<ExitStatus>;
}

/** Returns the arguments that run the command in a shell with a fixed path. */
export const shell = (command: string): readonly string[] => ['/bin/sh', '-c', command];

const stdioOf = ({ input, output, descriptors = [] }: ChildPlan): ('ignore' | number)[] => [
  input ?? 'ignore',
  output?.stdout ?? 'ignore',
  output?.stderr ?? 'ignore',
  ...descriptors,
];

/**
 * Runs `start` while this process has the given umask, which a child inherits. Other threads may create files
 * meanwhile. That is harmless, because the modes of those files allow only the owner.
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

/** Starts a process. Rejects with the system's error, which `explainRefusal` explains. */
export type StartChild = (plan: ChildPlan) => Promise<StartedChild>;

/** Resolves with the exit status of a child of Node. Call it in the tick of the spawn. */
export const exitOfChild = (child: ChildProcess): Promise<ExitStatus> =>
  new Promise((settle) => {
    child.once('exit', (code, signal) => {
      if (signal !== null) settle({ tag: 'signal', signal });
      else settle(code === null ? { tag: 'unknown' } : { tag: 'code', code });
    });
  });

/** Starts a process by Node, if the C library cannot be called (`start-by-posix-spawn.ts`). */
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
    // This listener is never removed: without a listener, an `error` event would end the supervisor.
    child.on('error', reject);
    const exit = exitOfChild(child);
    const { pid } = child;
    if (pid !== undefined) resolve({ process: { pid, startTicks: statOf(pid)?.startTicks ?? 0 }, exit });
  });
