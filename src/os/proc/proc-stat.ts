// The identity of a process, its parent, group and session, as `/proc/<pid>/stat` says at this moment.
import { closeSync, openSync, readSync } from 'node:fs';
import { sameProcess, type ProcessRef } from '../../streams/domain/service/process.ts';
import { isGone } from '../errno.ts';
import { type ProcStat, parseStat } from './stat-line.ts';

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
