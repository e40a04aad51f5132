// Finds out which pids the kernel has allocated since an earlier time. The kernel allocates them in ascending
// order, and after the highest pid begins again with the lowest (proc_loadavg(5),
// `/proc/sys/kernel/pid_max`).
import { openSync, readSync } from 'node:fs';
import { groupsIn } from './process-facts.ts';

const numberIn = (file: string, pattern: RegExp): number | undefined => {
  const found = Number(groupsIn(file, pattern)[0]);
  return Number.isSafeInteger(found) ? found : undefined;
};

/** The size of the read buffer, larger than the line in `/proc/loadavg`. */
const LINE_BYTES = 128;

/** Returns a function that reads the last allocated pid. The file stays open for many reads. */
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

/** Returns how many processes and threads were started since boot, in all pid namespaces, if readable. */
export const begunSoFar = (): number | undefined => numberIn('/proc/stat', /^processes (\d+)$/m);

/** Returns the number of possible pids. If it cannot be read, returns 32768, the default of the kernel. */
export const mostPids = (): number => numberIn('/proc/sys/kernel/pid_max', /^(\d+)/) ?? 32_768;

/** Returns the number of pids that were allocated after `from`, up to and including `to`. */
export const countGiven = (from: number, to: number, most: number): number => (to - from + most) % most;

/** Returns the pids that were allocated after `from`, up to and including `to`. */
export const pidsGiven = (from: number, to: number, most: number): readonly number[] =>
  Array.from({ length: countGiven(from, to, most) }, (_, at) => (from + at + 1) % most);

/** The largest number of pids that is expected to be allocated during one process scan. */
const MARGIN = 1_024;

/** Returns a function that is true for a pid that may have been reused since `from` was allocated. */
export const mayBeAnew = (from: number, to: number, most: number): ((pid: number) => boolean) => {
  const come = countGiven(from, to, most) + MARGIN;
  return (pid) => {
    const turn = countGiven(from, pid, most);
    return turn > 0 && turn <= come;
  };
};
