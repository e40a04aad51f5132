// Runs one command, times it, and kills it at a limit.
import { spawn } from 'node:child_process';

export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Milliseconds from before its start until its exit was seen. */
  readonly took: number;
}

export interface CommandOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly directory?: string;
  readonly limitMs?: number;
  /** Called in the same tick as the start. */
  readonly onStart?: (pid: number) => void;
}

/** Resolves with any exit status. Rejects if it cannot be started. */
export const command = (argv: readonly string[], options: CommandOptions = {}): Promise<Finished> =>
  new Promise((resolve, reject) => {
    const [program = '', ...args] = argv;
    const began = performance.now();
    const child = spawn(program, args, {
      cwd: options.directory,
      env: { ...process.env, ...options.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.limitMs ?? 60_000,
      killSignal: 'SIGKILL',
    });
    if (child.pid !== undefined) options.onStart?.(child.pid);
    const said = { stdout: '', stderr: '' };
    let took = Number.NaN;
    child.stdout.on('data', (chunk: Buffer) => (said.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said.stderr += chunk.toString()));
    child.on('error', reject);
    // A daemon started by the command may hold its output open, so `exit` counts and not `close`.
    child.on('exit', (status) => {
      took = performance.now() - began;
      setImmediate(() => resolve({ status, ...said, took }));
    });
  });

/** Rejects with the command's output if it does not exit with 0. */
export const succeed = async (argv: readonly string[], options: CommandOptions = {}): Promise<Finished> => {
  const finished = await command(argv, options);
  if (finished.status === 0) return finished;
  const said = `${finished.stdout}\n${finished.stderr}`.trim().slice(-2000);
  throw new Error(`${argv.slice(-4).join(' ')}: exit status ${String(finished.status)}\n${said}`);
};
