// Which pids the kernel has allocated since an earlier moment: in ascending order, then again from the lowest
// (proc_loadavg(5), `/proc/sys/kernel/pid_max`).
import { openSync, readSync } from 'node:fs';
import { groupsIn } from './process-facts.ts';

const numberIn = (file: string, pattern: RegExp): number | undefined => {
  const found = Number(groupsIn(file, pattern)[0]);
  return Number.isSafeInteger(found) ? found : undefined;
};

/** Size of the read buffer: longer than the line in `/proc/loadavg`. */
const LINE_BYTES = 128;

/** Returns a reader of the last allocated pid, if known. Its file stays open for many reads. */
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

/** Returns the processes and threads started since boot, in all pid namespaces, if readable. */
export const begunSoFar = (): number | undefined => numberIn('/proc/stat', /^processes (\d+)$/m);

/** Returns the number of possible pids; 32768, the kernel's default, if it cannot be read. */
export const mostPids = (): number => numberIn('/proc/sys/kernel/pid_max', /^(\d+)/) ?? 32_768;

/** Returns the number of pids that were allocated after `from`, up to and including `to`. */
export const countGiven = (from: number, to: number, most: number): number => (to - from + most) % most;

/** Returns the pids that were allocated after `from`, up to and including `to`. */
export const pidsGiven = (from: number, to: number, most: number): readonly number[] =>
  Array.from({ length: countGiven(from, to, most) }, (_, at) => (from + at + 1) % most);

/** Allowance for pids that are allocated after `to` was read and before the process scan uses it. */
const MARGIN = 1_024;

/** Returns a predicate for pids that may have been reused since `from` was the last one. */
export const mayBeAnew = (from: number, to: number, most: number): ((pid: number) => boolean) => {
  const come = countGiven(from, to, most) + MARGIN;
  return (pid) => {
    const turn = countGiven(from, pid, most);
    return turn > 0 && turn <= come;
  };
};
