// Runs a load generator (wrk) at full speed while some work is done, and reads its report.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Load {
  readonly url: string;
  /** Concurrent connections. */
  readonly connections: number;
}

export interface Answers {
  readonly perSecond: number;
  readonly answered: number;
  /** Requests that were refused, cut off, answered too late, or answered with an error. */
  readonly failed: number;
  /** The failures as wrk reports them. */
  readonly failures: readonly string[];
}

/** Longer than any work: wrk is ended by a signal. */
const LONGEST_S = 3_600;

const numberIn = (report: string, pattern: RegExp): number => {
  const [, found] = pattern.exec(report) ?? [];
  return Number(found ?? Number.NaN);
};

/** A figure that wrk does not print is zero. */
const sumIn = (report: string, pattern: RegExp): number =>
  (pattern.exec(report) ?? []).slice(1).reduce((sum, count) => sum + Number(count), 0);

const SOCKET_ERRORS = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/;
const BAD_ANSWERS = /Non-2xx or 3xx responses: (\d+)/;

/** Throws if this is no report of wrk. */
export const answersIn = (report: string): Answers => {
  const perSecond = numberIn(report, /Requests\/sec:\s+([\d.]+)/);
  if (Number.isNaN(perSecond)) throw new Error(`wrk: ${report.trim()}`);
  return {
    perSecond,
    answered: numberIn(report, /(\d+) requests in/),
    failed: sumIn(report, SOCKET_ERRORS) + sumIn(report, BAD_ANSWERS),
    failures: [SOCKET_ERRORS, BAD_ANSWERS].flatMap((kind) => kind.exec(report)?.[0] ?? []),
  };
};

/** Rejects if wrk cannot be started or the work rejects. */
export const underLoad = async (load: Load, work: () => Promise<unknown>): Promise<Answers> => {
  const line = ['-t1', `-c${load.connections}`, `-d${LONGEST_S}s`, load.url];
  const child = spawn('wrk', line, { stdio: ['ignore', 'pipe', 'inherit'] });
  let report = '';
  child.stdout.on('data', (chunk: Buffer) => (report += chunk.toString()));
  const ended = once(child, 'close');
  try {
    // Rejects if wrk is not installed: the work does not start then.
    await once(child, 'spawn');
    await work();
  } finally {
    child.kill('SIGINT');
    await ended.catch(() => undefined);
  }
  return answersIn(report);
};
