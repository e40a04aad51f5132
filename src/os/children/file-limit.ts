// The soft limit on open files for started processes. It is the limit with which this process was started.
// That limit must be inferred, because Node raises the limit when it starts.
// Rules: `docs/behaviour.md`, "Starting", "The process".
import { readFileSync, readlinkSync } from 'node:fs';
import type { Libc } from '../libc/libc.ts';
import { readLimit, setLimitOf, standingLimit } from '../libc/resource-limits.ts';
import { groupsIn } from '../proc/process-facts.ts';
import { statOf } from '../proc/process-stat.ts';

interface FileLimit {
  readonly soft: number;
  readonly hard: number;
}

/**
 * The default limits of systemd. A process with this hard limit was probably started with this soft limit.
 */
const BY_DEFAULT: FileLimit = { soft: 1024, hard: 524_288 };

const LINE = /^Max open files\s+(\S+)\s+(\S+)/m;

const worded = (word = ''): number => (word === 'unlimited' ? Number.POSITIVE_INFINITY : Number(word));

/** Returns the limits of a process; `undefined` if they cannot be read. */
export const fileLimitOf = (pid: number): FileLimit | undefined => {
  const [soft, hard] = groupsIn(`/proc/${pid}/limits`, LINE);
  return soft === undefined ? undefined : { soft: worded(soft), hard: worded(hard) };
};

/**
 * Returns the soft limit that this process had before Node raised it; `undefined` if unknown. `own`: the
 * present limits of this process. `ancestor`: the limits of the nearest ancestor that is not Node.
 */
export const softFilesBeforeNode = (
  own: FileLimit | undefined,
  ancestor: FileLimit | undefined,
): number | undefined => {
  if (own === undefined || own.soft < own.hard) return own?.soft;
  if (ancestor?.hard === own.hard) return ancestor.soft;
  return own.hard === BY_DEFAULT.hard ? BY_DEFAULT.soft : undefined;
};

/** True if the process has the name `node` or runs the same executable as this process. */
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

/** Returns the soft limit with which this process was started; `undefined` if unknown. */
export const ownSoftFiles = (): number | undefined => {
  const ancestor = nearestStranger(process.ppid);
  return softFilesBeforeNode(
    fileLimitOf(process.pid),
    ancestor === undefined ? undefined : fileLimitOf(ancestor),
  );
};

/**
 * How many descriptor numbers below the lowered limit must be free: other threads may open files while the
 * limit is lowered.
 */
const ROOM = 64;

/**
 * A function that calls `start`, which starts a process, and returns the pid of that process. The process
 * gets the lowered soft limit. `newest`: the number of a recently opened descriptor, which shows how many
 * descriptors are open.
 */
export type Limited = (newest: number, start: () => number) => number;

/**
 * Returns a function that starts processes with the soft limit `soft`. During a start it lowers the limit of
 * this process, so that the new process inherits the lowered limit. If this process has too many open files
 * for that, it sets the limit of the new process right after the start.
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
