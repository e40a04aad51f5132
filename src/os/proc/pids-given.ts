// Which pids the kernel has allocated since some moment. It allocates them in ascending order and wraps
// around at the last (proc_loadavg(5), `/proc/sys/kernel/pid_max`).
import { openSync, readSync } from 'node:fs';
import { groupsIn } from './process-facts.ts';

const numberIn = (file: string, pattern: RegExp): number | undefined => {
  const found = Number(groupsIn(file, pattern)[0]);
  return Number.isSafeInteger(found) ? found : undefined;
};

/** Longer than the line in `/proc/loadavg`. */
const LINE_BYTES = 128;

/**
 * Returns the pid, of a process or a thread, that was allocated last; `undefined` if it is unknown. The file
 * stays open: it is read several times for each exit, and opening takes longer than reading.
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

/** Processes and threads started since boot: at least as many as pids were allocated here. */
export const begunSoFar = (): number | undefined => numberIn('/proc/stat', /^processes (\d+)$/m);

/** How many pids there are; few if that is unknown. */
export const mostPids = (): number => numberIn('/proc/sys/kernel/pid_max', /^(\d+)/) ?? 32_768;

/** The number of pids that were allocated after `from`, up to `to`. */
export const countGiven = (from: number, to: number, most: number): number => (to - from + most) % most;

/** The pids that were allocated after `from`, up to `to`. */
export const pidsGiven = (from: number, to: number, most: number): readonly number[] =>
  Array.from({ length: countGiven(from, to, most) }, (_, at) => (from + at + 1) % most);

/** Pids that may be allocated between the reading of `to` and the scan that uses it. */
const MARGIN = 1_024;

/** True if a pid that was seen when `from` was the latest may belong to another process now. */
export const mayBeAnew = (from: number, to: number, most: number): ((pid: number) => boolean) => {
  const come = countGiven(from, to, most) + MARGIN;
  return (pid) => {
    const turn = countGiven(from, pid, most);
    return turn > 0 && turn <= come;
  };
};
