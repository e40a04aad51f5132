// The open-file limit for started processes: the one that we were started with. Node raises its soft limit to
// the hard one before our code runs, so this process cannot read the old value of its own.
import { readFileSync, readlinkSync } from 'node:fs';
import type { Libc } from '../libc.ts';
import { statOf } from '../proc/proc-stat.ts';
import { readLimit, setLimitOf, standingLimit } from '../libc/confinement/limits.ts';
import { fileLimitOf, softFilesBeforeNode } from './file-limit.ts';

/** True if it runs the same executable as we do, or has its name. */
const isNode = (pid: number): boolean => {
  try {
    return (
      readFileSync(`/proc/${pid}/comm`, 'latin1').trim() === 'node' ||
      readlinkSync(`/proc/${pid}/exe`) === process.execPath
    );
  } catch {
    return false;
  }
};

const nearestStranger = (pid: number): number | undefined => {
  if (pid < 1) return undefined;
  return isNode(pid) ? nearestStranger(statOf(pid)?.parent ?? 0) : pid;
};

/** The soft limit with which this process was started. */
export const ownSoftFiles = (): number | undefined => {
  const ancestor = nearestStranger(process.ppid);
  return softFilesBeforeNode(
    fileLimitOf(process.pid),
    ancestor === undefined ? undefined : fileLimitOf(ancestor),
  );
};

/** Descriptors that other threads may open during a start. */
const ROOM = 64;

/** Starts a process by `start` with the soft limit `soft`. `newest`: a recently opened descriptor. */
export type Limited = (newest: number, start: () => number) => number;

/**
 * Our own limit is lowered during the start, so the program never sees another one. If we have more files
 * open, a thread of ours could fail to open one: then the limit of the new process is set, some microseconds
 * after it began.
 */
export const limitedTo = (libc: Libc, soft: number | undefined): Limited => {
  const own = readLimit(libc, 'nofile');
  if (soft === undefined || !Number.isFinite(soft) || own.soft === soft) return (_, start) => start();
  const lowered = { soft, hard: own.hard };
  const [lower, restore] = [standingLimit(libc, 'nofile', lowered), standingLimit(libc, 'nofile', own)];
  return (newest, start) => {
    if (newest + ROOM > soft) {
      const pid = start();
      setLimitOf(libc, pid, 'nofile', lowered);
      return pid;
    }
    lower.set();
    try {
      return start();
    } finally {
      restore.set();
    }
  };
};
