// Runs one command, measures its time, and kills it after a timeout.
import { spawn } from 'node:child_process';

export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Time from just before the start until the exit was noticed, ms. */
  readonly took: number;
}

export interface CommandOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly directory?: string;
  readonly limitMs?: number;
  /** Called with the pid immediately after the start. */
  readonly onStart?: (pid: number) => void;
}

/** Runs a command. Resolves with any exit status. Rejects if the command cannot be started. */
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
    // Measures until `exit`, not `close`, because a daemon that the command started may keep its output open.
    child.on('exit', (status) => {
      took = performance.now() - began;
      setImmediate(() => resolve({ status, ...said, took }));
    });
  });

/** Runs a command. Rejects with its output if its exit status is not 0. */
export const succeed = async (argv: readonly string[], options: CommandOptions = {}): Promise<Finished> => {
  const finished = await command(argv, options);
  if (finished.status === 0) return finished;
  const said = `${finished.stdout}\n${finished.stderr}`.trim().slice(-2000);
  throw new Error(`${argv.slice(-4).join(' ')}: exit status ${String(finished.status)}\n${said}`);
};
