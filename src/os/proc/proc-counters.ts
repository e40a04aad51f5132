// Counters in `/proc/<pid>/stat`, read each second for every process of every service.
import { closeSync, openSync, readSync } from 'node:fs';
import { type Counters, LAST_WANTED, countersIn } from './counters-line.ts';

/** Longer than any line the kernel writes there. */
const LINE_BYTES = 2_048;

/** Enough for most machines. */
const MOST_KEPT = 256;

/** How many files may be kept open: a sixteenth of the limit, and none if the limit is low. */
export const keptWithin = (softLimit = Infinity): number =>
  Math.min(MOST_KEPT, Math.floor(softLimit / 1024) * 64);

interface CountersReader {
  /** `undefined`: the process is gone, or cannot be read. */
  readonly read: (pid: number) => Counters | undefined;
  /** Closes the files of all other processes. */
  readonly retain: (pids: Pick<ReadonlySet<number>, 'has' | 'size'>) => void;
}

const attempt = (read: () => Counters, failed: () => void): Counters | undefined => {
  try {
    return read();
  } catch {
    failed();
    return undefined;
  }
};

/**
 * Keeps the files of processes open, which saves two thirds of each reading. A descriptor belongs to one
 * process: if its pid is reused, reading fails and the file is opened again. Beyond `most`, each reading
 * opens its own.
 */
export const countersReader = (most: number): CountersReader => {
  const kept = new Map<number, number>();
  const buffer = new Uint8Array(LINE_BYTES);
  const numbers = new Float64Array(LAST_WANTED + 1);
  const letGo = (pid: number): void => {
    const file = kept.get(pid);
    kept.delete(pid);
    if (file !== undefined) closeSync(file);
  };
  const from = (pid: number, file: number): Counters =>
    countersIn(pid, buffer.subarray(0, readSync(file, buffer, 0, LINE_BYTES, 0)), numbers);
  const again = (pid: number): Counters | undefined => {
    const file = kept.get(pid);
    return file === undefined
      ? undefined
      : attempt(
          () => from(pid, file),
          () => letGo(pid),
        );
  };
  const anew = (pid: number): Counters | undefined => {
    const read = (): Counters => {
      const file = openSync(`/proc/${pid}/stat`, 'r');
      kept.set(pid, file);
      return from(pid, file);
    };
    const counters = attempt(read, () => letGo(pid));
    if (kept.size > most) letGo(pid);
    return counters;
  };
  return {
    read: (pid) => again(pid) ?? anew(pid),
    retain: (pids) => {
      if (kept.size > 0) for (const pid of kept.keys()) if (!pids.has(pid)) letGo(pid);
    },
  };
};
