// What `/proc/<pid>/stat` says of a process: only the fields that tell who it is and whom it belongs to.
import { closeSync, openSync, readSync } from 'node:fs';
import { sameProcess, type ProcessRef } from '../../streams/domain/service/process.ts';
import { isGone } from '../errno.ts';

export interface ProcStat {
  readonly pid: number;
  /** Ended and not collected yet: not alive. */
  readonly zombie: boolean;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly startTicks: number;
  /** Of a process that has its own pid: not to be found by listing. */
  readonly isThread?: true;
  /** Where its environment lies: another address after each `exec`, 0 where we may not know. */
  readonly environmentAt: string;
}

/** Longer than any line the kernel writes there. */
const LINE_BYTES = 2048;

/** Reads with one buffer of its own, three system calls a process; `undefined`: nobody has this pid. Throws when it cannot tell. */
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

/** The name in parentheses may hold spaces and parentheses: field 3 follows the last of them. */
export const parseStat = (pid: number, line: string): ProcStat => {
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const field = (number: number): number => Number(fields[number - 3]);
  return {
    pid,
    zombie: fields[0] === 'Z' || fields[0] === 'X',
    parent: field(4),
    group: field(5),
    session: field(6),
    startTicks: field(22),
    environmentAt: fields[50 - 3] ?? '0',
    // No signal tells anybody of the end of a thread.
    ...(fields[38 - 3] === '-1' && { isThread: true }),
  };
};

/** One process at this moment, in one step, so that nothing comes between looking and acting; `undefined`: nobody, or no way to look. */
export const statOf = (pid: number): ProcStat | undefined => {
  try {
    return statReader()(pid);
  } catch {
    return undefined;
  }
};

/** As `statOf`, of exactly this process: a pid alone may have passed to a stranger. */
export const statOfProcess = (process: ProcessRef): ProcStat | undefined => {
  const stat = statOf(process.pid);
  return stat !== undefined && sameProcess(stat, process) ? stat : undefined;
};

/** The tick at which the living process of that pid started; `undefined` for the dead, zombies among them. */
export const startTicksOf = (pid: number): number | undefined => {
  const stat = statOf(pid);
  return stat === undefined || stat.zombie ? undefined : stat.startTicks;
};
