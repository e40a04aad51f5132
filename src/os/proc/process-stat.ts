// The identity of a process and its parent, group and session, from `/proc/<pid>/stat`.
import { closeSync, openSync, readSync } from 'node:fs';
import { isGone } from '../errno.ts';
import { type ProcessRef, sameProcess } from '../../streams/domain/service/process.ts';

export interface ProcStat {
  readonly pid: number;
  /** True if the process has ended but was not reaped yet: it is not alive. */
  readonly zombie: boolean;
  /**
   * True if the first thread has ended and others still run. The process is alive, but much of `/proc/<pid>`
   * can be read only through those threads.
   */
  readonly isHeadless?: true;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly startTicks: number;
  /**
   * True if this is a thread of a process with another pid. Such entries exist in `/proc` but are not listed.
   */
  readonly isThread?: true;
  /**
   * The address of the environment in the process's memory. It changes with each `exec`; `0` if it may not be
   * read.
   */
  readonly environmentAt: string;
}

/**
 * Reads fields of a line in ascending order. The line is not split, because only eight of its fifty fields
 * are needed.
 */
class Fields {
  readonly #line: string;
  #number = 3;
  #at: number;

  /**
   * Finds field 3: it follows the last closing parenthesis, because the name in field 2 may itself contain
   * spaces and parentheses.
   */
  constructor(line: string) {
    this.#line = line;
    this.#at = line.lastIndexOf(')') + 2;
  }

  /**
   * Returns the text of a field; empty beyond the end of the line. `number`: as in proc_pid_stat(5), not
   * lower than in the previous call.
   */
  text(number: number): string {
    for (; this.#number < number; this.#number += 1) this.#at = this.#after(this.#at);
    return this.#line.slice(this.#at, Math.max(this.#at, this.#after(this.#at) - 1));
  }

  number(number: number): number {
    return Number(this.text(number));
  }

  /** Returns where the field after the one at `at` begins. */
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
  // A thread that is not the first has no exit signal (-1 in field 38).
  const isThread = fields.text(38) === '-1';
  const environmentAt = fields.text(50) || '0';
  const stat = { pid, zombie: hasEnded && !isHeadless, parent, group, session, startTicks, environmentAt };
  return isHeadless || isThread ? withOddities(stat, { isHeadless, isThread }) : stat;
};

const withOddities = (
  stat: ProcStat,
  { isHeadless, isThread }: { readonly isHeadless: boolean; readonly isThread: boolean },
): ProcStat => ({ ...stat, ...(isHeadless && { isHeadless }), ...(isThread && { isThread }) });

/** Size of the read buffer: longer than any line the kernel writes there. */
const LINE_BYTES = 2048;

/**
 * Returns a reader with its own buffer, which needs three system calls per process. The reader returns
 * `undefined` if no process has this pid, and throws if `stat` cannot be read.
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

/**
 * Returns the current state of one process; `undefined` if it is gone or cannot be read. Synchronous, so the
 * caller can act before the state changes.
 */
export const statOf = (pid: number): ProcStat | undefined => {
  try {
    return statReader()(pid);
  } catch {
    return undefined;
  }
};

/** Like `statOf`, but `undefined` also if the pid was reused by another process. */
export const statOfProcess = (process: ProcessRef): ProcStat | undefined => {
  const stat = statOf(process.pid);
  return stat !== undefined && sameProcess(stat, process) ? stat : undefined;
};

/**
 * Returns the start time, in ticks since boot, of the living process with that pid; `undefined` if it is dead
 * or a zombie.
 */
export const startTicksOf = (pid: number): number | undefined => {
  const stat = statOf(pid);
  return stat === undefined || stat.zombie ? undefined : stat.startTicks;
};

/** True if the process has ended. A zombie counts as ended, even if another parent must still reap it. */
export const isOver = (process: ProcessRef, now: ProcStat | undefined): boolean =>
  now === undefined || now.zombie || !sameProcess(now, process);
