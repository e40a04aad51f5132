// A load generator (wrk) at full speed for as long as some work takes, and what it says about the answers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Load {
  readonly url: string;
  /** Connections that are kept busy at the same time. */
  readonly connections: number;
}

export interface Answers {
  readonly perSecond: number;
  readonly answered: number;
  /** Refused, cut off, not answered in time, or answered with an error. */
  readonly failed: number;
  /** What failed, in wrk's words. */
  readonly failures: readonly string[];
}

/** Longer than any work; it is told to end. */
const LONGEST_S = 3_600;

const numberIn = (report: string, pattern: RegExp): number => {
  const [, found] = pattern.exec(report) ?? [];
  return Number(found ?? Number.NaN);
};

/** What wrk does not mention has not happened. */
const sumIn = (report: string, pattern: RegExp): number =>
  (pattern.exec(report) ?? []).slice(1).reduce((sum, count) => sum + Number(count), 0);

const SOCKET_ERRORS = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/;
const BAD_ANSWERS = /Non-2xx or 3xx responses: (\d+)/;

/** Throws when this is no report of wrk's. */
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

/** Rejects when wrk cannot be started, and with what the work rejects with. */
export const underLoad = async (load: Load, work: () => Promise<unknown>): Promise<Answers> => {
  const line = ['-t1', `-c${load.connections}`, `-d${LONGEST_S}s`, load.url];
  const child = spawn('wrk', line, { stdio: ['ignore', 'pipe', 'inherit'] });
  let report = '';
  child.stdout.on('data', (chunk: Buffer) => (report += chunk.toString()));
  const ended = once(child, 'close');
  try {
    // Rejects when wrk is not there at all: the work need not begin.
    await once(child, 'spawn');
    await work();
  } finally {
    child.kill('SIGINT');
    await ended.catch(() => undefined);
  }
  return answersIn(report);
};
