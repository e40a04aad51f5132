// Runs programs of this machine for the test, and keeps what they say for the report of a failure.
import { spawnSync } from 'node:child_process';

export interface Result {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

const MOST_BYTES = 64 * 1024 * 1024;
const SHOWN = 2_000;

interface Options {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly timeoutMs?: number;
}

/** Runs a program to its end, whatever its exit status. */
export const attempt = (program: string, args: readonly string[], options: Options = {}): Result => {
  const { status, signal, stdout, stderr, error } = spawnSync(program, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    timeout: options.timeoutMs ?? 600_000,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: MOST_BYTES,
  });
  const why = error === undefined ? '' : `${error.message}\n`;
  return { status: status ?? 255, stdout, stderr: `${why}${signal === null ? '' : `${signal}\n`}${stderr}` };
};

/** Returns standard output. Throws with the end of all output if the exit status is not 0. */
export const run = (program: string, args: readonly string[], options: Options = {}): string => {
  const { status, stdout, stderr } = attempt(program, args, options);
  if (status === 0) return stdout;
  const said = `${stdout}\n${stderr}`.trim().slice(-SHOWN);
  throw new Error(`${[program, ...args].join(' ')}: exit status ${status}\n${said}`);
};

/** Waits until `holds` is true. Throws after the limit. */
export const until = async (what: string, holds: () => boolean, limitMs = 60_000): Promise<void> => {
  const deadline = Date.now() + limitMs;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`not within ${limitMs / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
