// The identity of a process and its parent, group and session, from `/proc/<pid>/stat`.
import { closeSync, openSync, readSync } from 'node:fs';
import { isGone } from '../errno.ts';
import { type ProcessRef, sameProcess } from '../../streams/domain/service/process.ts';

export interface ProcStat {
  readonly pid: number;
  /** True if the process has ended but was not reaped yet: it is not alive. */
  readonly zombie: boolean;
  /** The first thread has ended and others run: much of `/proc/<pid>` is readable only through them. */
  readonly isHeadless?: true;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly startTicks: number;
  /** A thread of a process with another pid; not listed, but present in `/proc`. */
  readonly isThread?: true;
  /** The address of the environment in memory, which each `exec` changes; `0` if unreadable. */
  readonly environmentAt: string;
}

/** Reads fields of a line in ascending order, since only eight of fifty are needed. */
class Fields {
  readonly #line: string;
  #number = 3;
  #at: number;

  /** Starts at field 3, after the last parenthesis: the name in field 2 may contain anything. */
  constructor(line: string) {
    this.#line = line;
    this.#at = line.lastIndexOf(')') + 2;
  }

  /** Returns the text of a field, numbered as in proc_pid_stat(5), not lower than the previous one. */
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

/** Returns a reader with its own buffer, for three system calls per process. Throws on other errors. */
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

/** Returns the current state of a process, synchronously, so that the caller can act on it. */
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

/** Returns the start time of the living process with that pid, in ticks since boot. */
export const startTicksOf = (pid: number): number | undefined => {
  const stat = statOf(pid);
  return stat === undefined || stat.zombie ? undefined : stat.startTicks;
};

/** True if the process has ended. A zombie counts as ended, even if another parent must still reap it. */
export const isOver = (process: ProcessRef, now: ProcStat | undefined): boolean =>
  now === undefined || now.zombie || !sameProcess(now, process);
