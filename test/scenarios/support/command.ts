// Runs one program of a scenario under a time limit. What it prints into its pipes must carry no escape codes.
import { spawn, type ChildProcess } from 'node:child_process';

export interface Outcome {
  /** What was typed. */
  readonly line: string;
  /** `undefined` when a signal ended it. */
  readonly status: number | undefined;
  readonly signal: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly millis: number;
}

export interface CommandPlan {
  readonly argv: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Milliseconds; a command that takes longer hangs. */
  readonly limit: number;
  /** How it is called in messages. */
  readonly line: string;
}

export interface Running {
  readonly child: ChildProcess;
  /** So far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Rejects when the limit is over, or when escape codes were printed. */
  readonly ended: Promise<Outcome>;
}

const ESCAPE = '\u001b';

/** Exit status and streams of a command, for people. */
export const outcomeText = ({ line, status, signal, stdout, stderr, millis }: Outcome): string =>
  [
    `$ ${line}  → ${status ?? signal ?? 'nothing'} after ${Math.round(millis)} ms`,
    ...(stdout === '' ? [] : [`  out: ${short(stdout)}`]),
    ...(stderr === '' ? [] : [`  err: ${short(stderr)}`]),
  ].join('\n');

const short = (text: string): string => {
  const lines = text.trimEnd();
  const most = text.startsWith('{') ? 400 : 4_000;
  return (lines.length > most ? `… ${lines.slice(-most)}` : lines).replaceAll('\n', '\n       ');
};

export const launch = ({ argv, directory, environment, limit, line }: CommandPlan): Running => {
  const [program = '', ...args] = argv;
  const began = performance.now();
  const child = spawn(program, args, { cwd: directory, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  let hung = false;
  const timer = setTimeout(() => {
    hung = true;
    child.kill('SIGKILL');
  }, limit);
  const ended = new Promise<Outcome>((settle, fail) => {
    child.once('error', fail);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      const millis = performance.now() - began;
      const how = { status: code ?? undefined, signal: signal ?? undefined };
      const outcome: Outcome = { line, ...how, stdout, stderr, millis };
      const wrong = hung ? `hung for ${limit} ms` : escaped(outcome);
      if (wrong === undefined) settle(outcome);
      else fail(new Error(`${line}: ${wrong}\n${outcomeText(outcome)}`));
    });
  });
  // A test that never reads the outcome must not fail by an unhandled rejection.
  ended.catch(() => undefined);
  return { child, stdout: () => stdout, stderr: () => stderr, ended };
};

/** Only `--raw` gives what services printed as it is. */
const escaped = ({ line, stdout, stderr }: Outcome): string | undefined =>
  (stdout.includes(ESCAPE) && !line.includes(' --raw')) || stderr.includes(ESCAPE)
    ? 'escape codes in a pipe'
    : undefined;
