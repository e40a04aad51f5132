// Reads the identity of a process, and its parent, group and session, from `/proc/<pid>/stat`.
import { closeSync, openSync, readSync } from 'node:fs';
import { isGone } from '../errno.ts';
import { type ProcessRef, sameProcess } from '../../streams/domain/service/process.ts';

export interface ProcStat {
  readonly pid: number;
  /** True if the process has ended but was not reaped yet. A zombie does not count as alive. */
  readonly zombie: boolean;
  /**
   * True if the first thread has ended but other threads run. Then much of `/proc/<pid>` can be read only
   * through those threads.
   */
  readonly isHeadless?: true;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly startTicks: number;
  /** True for a thread of a process with another pid. `/proc` has a directory for it but does not list it. */
  readonly isThread?: true;
  /** The address of the environment in memory, which each exec changes; `0` if it may not be read. */
  readonly environmentAt: string;
}

/**
 * Reads the needed fields of a line, in ascending order. They are only a few of about fifty, so the line is
 * not split.
 */
class Fields {
  readonly #line: string;
  #number = 3;
  #at: number;

  /** Starts at field 3, after the last parenthesis, because the name in field 2 may contain parentheses. */
  constructor(line: string) {
    this.#line = line;
    this.#at = line.lastIndexOf(')') + 2;
  }

  /** Returns a field, numbered as in proc_pid_stat(5). The number must not be lower than in the last call. */
  text(number: number): string {
    for (; this.#number < number; this.#number += 1) this.#at = this.#after(this.#at);
    return this.#line.slice(this.#at, Math.max(this.#at, this.#after(this.#at) - 1));
  }

  number(number: number): number {
    return Number(this.text(number));
  }

  /** Returns the offset of the next field. `at`: the offset of a field. */
  #after(at: number): number {
    const space = this.#line.indexOf(' ', at);
    return space === -1 ? this.#line.length + 1 : space + 1;
  }
}

export const parseStat = (pid: number, line: string): ProcStat => {
  const fields = new Fields(line);
  const state = fields.text(3);
  const hasEnded = state === 'Z' || state === 'X';
  const [parent, group, session] = [fields.number(4), fields.number(5), fields.number(6)];
  const isHeadless = hasEnded && fields.number(20) > 1;
  const startTicks = fields.number(22);
  // A thread other than the first has no exit signal (-1 in field 38).
  const isThread = fields.text(38) === '-1';
  const environmentAt = fields.text(50) || '0';
  const stat = { pid, zombie: hasEnded && !isHeadless, parent, group, session, startTicks, environmentAt };
  return isHeadless || isThread ? withOddities(stat, { isHeadless, isThread }) : stat;
};

const withOddities = (
  stat: ProcStat,
  { isHeadless, isThread }: { readonly isHeadless: boolean; readonly isThread: boolean },
): ProcStat => ({ ...stat, ...(isHeadless && { isHeadless }), ...(isThread && { isThread }) });

/** The size of the read buffer, larger than any line of the file. */
const LINE_BYTES = 2048;

/**
 * Returns a function that reads a process; `undefined` if the process is gone. Throws other errors. The
 * function keeps its buffer, so that a read takes only three system calls.
 */
export const statReader = (): ((pid: number) => ProcStat | undefined) => {
  const buffer = Buffer.alloc(LINE_BYTES);
  return (pid) => {
    try {
      const file = openSync(`/proc/${pid}/stat`, 'r');
      try {
        return parseStat(pid, buffer.toString('latin1', 0, readSync(file, buffer, 0, LINE_BYTES, null)));
      } finally {
        closeSync(file);
      }
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  };
};

/** Returns the current `stat` of a process; `undefined` if it is gone or unreadable. */
export const statOf = (pid: number): ProcStat | undefined => {
  try {
    return statReader()(pid);
  } catch {
    return undefined;
  }
};

/** Like `statOf`, but also returns `undefined` if another process has the pid now. */
export const statOfProcess = (process: ProcessRef): ProcStat | undefined => {
  const stat = statOf(process.pid);
  return stat !== undefined && sameProcess(stat, process) ? stat : undefined;
};

/** Returns the start time of the living process with this pid, in ticks since boot. */
export const startTicksOf = (pid: number): number | undefined => {
  const stat = statOf(pid);
  return stat === undefined || stat.zombie ? undefined : stat.startTicks;
};

/** True if the process has ended. `now`: the present `stat` of its pid. A zombie counts as ended. */
export const isOver = (process: ProcessRef, now: ProcStat | undefined): boolean =>
  now === undefined || now.zombie || !sameProcess(now, process);
