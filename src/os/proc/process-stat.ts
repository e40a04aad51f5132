// The identity of a process, its parent, group and session, as `/proc/<pid>/stat` says at this moment.
import { closeSync, openSync, readSync } from 'node:fs';
import { isGone } from '../errno.ts';
import { type ProcessRef, sameProcess } from '../../streams/domain/service/process.ts';

export interface ProcStat {
  readonly pid: number;
  /** Ended and not reaped yet: not alive. */
  readonly zombie: boolean;
  /**
   * Its first thread has ended and others go on. It is alive, but the kernel shows only what those threads
   * have.
   */
  readonly isHeadless?: true;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly startTicks: number;
  /** A thread of a process with another pid, which a listing of `/proc` does not show. */
  readonly isThread?: true;
  /** The address of its environment: it changes with each `exec`, and is 0 if we may not read it. */
  readonly environmentAt: string;
}

/** Reads fields of a line in ascending order. Eight of fifty are needed, so the line is not split. */
class Fields {
  readonly #line: string;
  #number = 3;
  #at: number;

  /** The name in parentheses may contain spaces and parentheses: field 3 follows the last of them. */
  constructor(line: string) {
    this.#line = line;
    this.#at = line.lastIndexOf(')') + 2;
  }

  /**
   * `number`: as in proc_pid_stat(5), not lower than in the previous call. Empty beyond the end of the line.
   */
  text(number: number): string {
    for (; this.#number < number; this.#number += 1) this.#at = this.#after(this.#at);
    return this.#line.slice(this.#at, Math.max(this.#at, this.#after(this.#at) - 1));
  }

  number(number: number): number {
    return Number(this.text(number));
  }

  /** Where the field after the one at `at` begins. */
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
  // The end of a thread sends no signal.
  const isThread = fields.text(38) === '-1';
  const environmentAt = fields.text(50) || '0';
  const stat = { pid, zombie: hasEnded && !isHeadless, parent, group, session, startTicks, environmentAt };
  return isHeadless || isThread ? withOddities(stat, { isHeadless, isThread }) : stat;
};

const withOddities = (
  stat: ProcStat,
  { isHeadless, isThread }: { readonly isHeadless: boolean; readonly isThread: boolean },
): ProcStat => ({ ...stat, ...(isHeadless && { isHeadless }), ...(isThread && { isThread }) });

/** Longer than any line the kernel writes there. */
const LINE_BYTES = 2048;

/**
 * Returns a reader with its own buffer: three system calls a process. It returns `undefined` if no process
 * has this pid, and throws if that cannot be read.
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
 * One process at this moment, read synchronously so that the caller can act on it; `undefined` if it is gone
 * or cannot be read.
 */
export const statOf = (pid: number): ProcStat | undefined => {
  try {
    return statReader()(pid);
  } catch {
    return undefined;
  }
};

/** As `statOf`, for exactly this process: its pid may have been reused. */
export const statOfProcess = (process: ProcessRef): ProcStat | undefined => {
  const stat = statOf(process.pid);
  return stat !== undefined && sameProcess(stat, process) ? stat : undefined;
};

/** The start tick of the living process with that pid; `undefined` if it is dead or a zombie. */
export const startTicksOf = (pid: number): number | undefined => {
  const stat = statOf(pid);
  return stat === undefined || stat.zombie ? undefined : stat.startTicks;
};

/** True if the process has ended. A zombie counts as dead, even if another parent must reap it. */
export const isOver = (process: ProcessRef, now: ProcStat | undefined): boolean =>
  now === undefined || now.zombie || !sameProcess(now, process);
