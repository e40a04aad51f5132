// Runs a load generator (wrk) at full speed while some work is done, and parses its report.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Load {
  readonly url: string;
  /** Number of concurrent connections. */
  readonly connections: number;
}

export interface Answers {
  readonly perSecond: number;
  readonly answered: number;
  /** Number of requests that were refused, aborted, answered too late, or answered with an error. */
  readonly failed: number;
  /** Lines of wrk's report about failed requests. */
  readonly failures: readonly string[];
}

/** Duration given to wrk, s. No work takes that long; wrk is ended by a signal instead. */
const LONGEST_S = 3_600;

const numberIn = (report: string, pattern: RegExp): number => {
  const [, found] = pattern.exec(report) ?? [];
  return Number(found ?? Number.NaN);
};

/** Returns the sum of the numbers in a line; 0 if wrk does not print that line. */
const sumIn = (report: string, pattern: RegExp): number =>
  (pattern.exec(report) ?? []).slice(1).reduce((sum, count) => sum + Number(count), 0);

const SOCKET_ERRORS = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/;
const BAD_ANSWERS = /Non-2xx or 3xx responses: (\d+)/;

/** Parses a report of wrk. Throws if the text is no report. */
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

/**
 * Runs wrk during `work` and resolves to the parsed report. Rejects if wrk cannot be started or `work`
 * rejects.
 */
export const underLoad = async (load: Load, work: () => Promise<unknown>): Promise<Answers> => {
  const line = ['-t1', `-c${load.connections}`, `-d${LONGEST_S}s`, load.url];
  const child = spawn('wrk', line, { stdio: ['ignore', 'pipe', 'inherit'] });
  let report = '';
  child.stdout.on('data', (chunk: Buffer) => (report += chunk.toString()));
  const ended = once(child, 'close');
  try {
    // Rejects if wrk is not installed; then `work` is not started.
    await once(child, 'spawn');
    await work();
  } finally {
    child.kill('SIGINT');
    await ended.catch(() => undefined);
  }
  return answersIn(report);
};
