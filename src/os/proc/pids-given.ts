// Which pids the kernel has given out since some moment. It gives them in turn, and begins again at the low ones when it
// has come to the last (proc_loadavg(5), `/proc/sys/kernel/pid_max`).
import { openSync, readFileSync, readSync } from 'node:fs';

const numberIn = (file: string, pattern: RegExp): number | undefined => {
  try {
    const found = Number(pattern.exec(readFileSync(file, 'latin1'))?.[1]);
    return Number.isSafeInteger(found) ? found : undefined;
  } catch {
    return undefined;
  }
};

/** Longer than the line in `/proc/loadavg`. */
const LINE_BYTES = 128;

/**
 * The pid, of a process or a thread, that was given last; `undefined` when that is not to be had. The file stays open
 * for good: it is read several times for the end of each run, and opening it takes longer than reading it.
 */
export const latestPidReader = (): (() => number | undefined) => {
  const line = Buffer.alloc(LINE_BYTES);
  let file: number | undefined;
  return () => {
    try {
      file ??= openSync('/proc/loadavg', 'r');
      const text = line.toString('latin1', 0, readSync(file, line, 0, LINE_BYTES, 0));
      const pid = Number(/ (\d+)\n$/.exec(text)?.[1]);
      return Number.isSafeInteger(pid) ? pid : undefined;
    } catch {
      return undefined;
    }
  };
};

/** Processes and threads that have begun since the machine did: no fewer than were given a pid here. */
export const begunSoFar = (): number | undefined => numberIn('/proc/stat', /^processes (\d+)$/m);

/** How many pids there are; few where it is not told. */
export const mostPids = (): number => numberIn('/proc/sys/kernel/pid_max', /^(\d+)/) ?? 32_768;

/** How many were given from one on to another. */
export const countGiven = (from: number, to: number, most: number): number => (to - from + most) % most;

/** Those that were given after `from`, up to `to`. */
export const pidsGiven = (from: number, to: number, most: number): readonly number[] =>
  Array.from({ length: countGiven(from, to, most) }, (_, at) => (from + at + 1) % most);

/** Who may come between the reading of `to` and the look that it is for. */
const MARGIN = 1_024;

/** Whether somebody who was seen when `from` was the latest may be another one by now. */
export const mayBeAnew = (from: number, to: number, most: number): ((pid: number) => boolean) => {
  const come = countGiven(from, to, most) + MARGIN;
  return (pid) => {
    const turn = countGiven(from, pid, most);
    return turn > 0 && turn <= come;
  };
};
