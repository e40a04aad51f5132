// How many files a process that we start may have open: what we were started with ourselves. Node raises its own soft
// limit to the hard one before any of our code runs, so that what it was is not to be had from this process.
import { readFileSync, readlinkSync } from 'node:fs';
import type { Libc } from '../libc.ts';
import { statOf } from '../proc/proc-stat.ts';
import { readLimit, setLimitOf, standingLimit } from '../libc/confinement/limits.ts';
import { fileLimitOf, softFilesBeforeNode } from './file-limit.ts';

/** What it runs is what we run, or is called as it is. */
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

/** Of this very process. */
export const ownSoftFiles = (): number | undefined => {
  const ancestor = nearestStranger(process.ppid);
  return softFilesBeforeNode(
    fileLimitOf(process.pid),
    ancestor === undefined ? undefined : fileLimitOf(ancestor),
  );
};

/** Other threads may open some files in the moment of a start. */
const ROOM = 64;

/** Starts a process by `start`, whose soft limit is `soft` then. `newest`: a descriptor that was opened lately. */
export type Limited = (newest: number, start: () => number) => number;

/**
 * Our own limit is lowered for the moment of the start, so that the program never sees another one. Where we have more
 * files open than that, a thread of ours could be refused one meanwhile: then it is the new process's that is set, some
 * microseconds after it began.
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
