// The open-file limit for started processes: the one that we were started with. Node raises its soft limit to
// the hard one before our code runs, so this process cannot read the old value of its own.
import { readFileSync, readlinkSync } from 'node:fs';
import type { Libc } from '../libc/libc.ts';
import { readLimit, setLimitOf, standingLimit } from '../libc/resource-limits.ts';
import { groupsIn } from '../proc/process-facts.ts';
import { statOf } from '../proc/process-stat.ts';

interface FileLimit {
  readonly soft: number;
  readonly hard: number;
}

/** The default pair of systemd: a process with this hard limit had that soft limit. */
const BY_DEFAULT: FileLimit = { soft: 1024, hard: 524_288 };

const LINE = /^Max open files\s+(\S+)\s+(\S+)/m;

const worded = (word = ''): number => (word === 'unlimited' ? Number.POSITIVE_INFINITY : Number(word));

/** `undefined` if it cannot be read. */
export const fileLimitOf = (pid: number): FileLimit | undefined => {
  const [soft, hard] = groupsIn(`/proc/${pid}/limits`, LINE);
  return soft === undefined ? undefined : { soft: worded(soft), hard: worded(hard) };
};

/**
 * The soft limit with which a Node process was started. It is that of its nearest ancestor that is no Node
 * program, if both have the same hard limit. `undefined`: unknown, so the limit stays as it is.
 */
export const softFilesBeforeNode = (
  own: FileLimit | undefined,
  ancestor: FileLimit | undefined,
): number | undefined => {
  if (own === undefined || own.soft < own.hard) return own?.soft;
  if (ancestor?.hard === own.hard) return ancestor.soft;
  return own.hard === BY_DEFAULT.hard ? BY_DEFAULT.soft : undefined;
};

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
