// Who a process is and whom it belongs to, as `/proc/<pid>/stat` says at this moment.
import { closeSync, openSync, readSync } from 'node:fs';
import { sameProcess, type ProcessRef } from '../../streams/domain/service/process.ts';
import { isGone } from '../errno.ts';
import { type ProcStat, parseStat } from './stat-line.ts';

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

/** A zombie that is not our child is somebody else's to collect, and as dead as any. */
export const isOver = (process: ProcessRef, now: ProcStat | undefined): boolean =>
  now === undefined || now.zombie || !sameProcess(now, process);
