// Reads CPU time and memory from `/proc/<pid>/stat`, each second for every process. Numbers are parsed from
// the bytes, because a conversion to strings would take as long as the kernel's own work.
import { closeSync, openSync, readSync } from 'node:fs';
import type { ProcessRef } from '../../streams/domain/service/process.ts';

export interface Counters extends ProcessRef {
  readonly parent: number;
  readonly ownTicks: number;
  /** CPU ticks of children that have ended and that this process has reaped. */
  readonly collectedTicks: number;
  readonly rssPages: number;
}

const CLOSING_PARENTHESIS = 41;

const SPACE = 32;

const ZERO = 48;

const NINE = 57;

/** The number of the first field that is parsed as a number. The field before it is a letter, the state. */
const FIRST_NUMBER = 4;

const LAST_WANTED = 24;

/**
 * Parses the fields from field 4 on, and writes each number into `into` at the index of its field. A sign is
 * ignored, because the needed fields are never negative.
 */
const numbersIn = (line: Uint8Array, into: Float64Array): void => {
  let value = 0;
  let field = FIRST_NUMBER;
  for (
    let at = line.lastIndexOf(CLOSING_PARENTHESIS) + 4;
    at < line.length && field <= LAST_WANTED;
    at += 1
  ) {
    const byte = line[at] ?? 0;
    if (byte >= ZERO && byte <= NINE) value = value * 10 + byte - ZERO;
    else if (byte === SPACE) {
      into[field] = value;
      value = 0;
      field += 1;
    }
  }
};

/** Returns the counters in one line of `/proc/<pid>/stat`. `numbers`: scratch space that can be reused. */
export const countersIn = (
  pid: number,
  line: Uint8Array,
  numbers = new Float64Array(LAST_WANTED + 1),
): Counters => {
  numbersIn(line, numbers);
  const field = (number: number): number => numbers[number] ?? 0;
  return {
    pid,
    parent: field(4),
    ownTicks: field(14) + field(15),
    collectedTicks: field(16) + field(17),
    startTicks: field(22),
    rssPages: field(24),
  };
};

/** The size of the read buffer, larger than any line of the file. */
const LINE_BYTES = 2_048;

/** Maximum number of `stat` files that are kept open; enough for the processes of most machines. */
const MOST_KEPT = 256;

/**
 * Returns how many `stat` files may be kept open: a sixteenth of the soft limit on open files, at most
 * `MOST_KEPT`; 0 if the limit is below 1024.
 */
export const keptWithin = (softLimit = Infinity): number =>
  Math.min(MOST_KEPT, Math.floor(softLimit / 1024) * 64);

interface CountersReader {
  /** Returns the counters of the process; `undefined` if it is gone or cannot be read. */
  readonly read: (pid: number) => Counters | undefined;
  /** Closes the files of all processes that are not in `pids`. */
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
 * Returns a reader that keeps the files of at most `most` processes open, which saves two thirds of the time.
 * If a pid is reused, reading fails and the file is opened again.
 */
export const countersReader = (most: number): CountersReader => {
  const kept = new Map<number, number>();
  const buffer = new Uint8Array(LINE_BYTES);
  const numbers = new Float64Array(LAST_WANTED + 1);
  const closeFile = (pid: number): void => {
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
          () => closeFile(pid),
        );
  };
  const opened = (pid: number): Counters | undefined => {
    const read = (): Counters => {
      const file = openSync(`/proc/${pid}/stat`, 'r');
      kept.set(pid, file);
      return from(pid, file);
    };
    const counters = attempt(read, () => closeFile(pid));
    if (kept.size > most) closeFile(pid);
    return counters;
  };
  return {
    read: (pid) => again(pid) ?? opened(pid),
    retain: (pids) => {
      if (kept.size > 0) for (const pid of kept.keys()) if (!pids.has(pid)) closeFile(pid);
    },
  };
};
