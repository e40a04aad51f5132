// How many files a process that we start may have open: what we were started with ourselves. Node raises its own soft
// limit to the hard one before any of our code runs, so that what it was is not to be had from this process.
import { readFileSync, readlinkSync } from 'node:fs';
import type { Libc } from '../libc.ts';
import { statOf } from '../proc/proc-stat.ts';
import { readLimit, setLimit, setLimitOf } from '../libc/confinement/limits.ts';

interface FileLimit {
  readonly soft: number;
  readonly hard: number;
}

/** The pair that systemd gives by default: who has this hard limit had that soft one. */
const BY_DEFAULT: FileLimit = { soft: 1024, hard: 524_288 };

const LINE = /^Max open files\s+(\S+)\s+(\S+)/m;
const worded = (word = ''): number => (word === 'unlimited' ? Number.POSITIVE_INFINITY : Number(word));

/** `undefined` where it cannot be read. */
export const fileLimitOf = (pid: number): FileLimit | undefined => {
  try {
    const [, soft, hard] = LINE.exec(readFileSync(`/proc/${pid}/limits`, 'latin1')) ?? [];
    return soft === undefined ? undefined : { soft: worded(soft), hard: worded(hard) };
  } catch {
    return undefined;
  }
};

/**
 * The soft limit that a Node process was started with: that of its nearest ancestor that is no Node program itself, if
 * the two have the same hard limit. `undefined`: nobody knows, and it stays as it is.
 */
export const softFilesBeforeNode = (
  own: FileLimit | undefined,
  ancestor: FileLimit | undefined,
): number | undefined => {
  if (own === undefined || own.soft < own.hard) return own?.soft;
  if (ancestor?.hard === own.hard) return ancestor.soft;
  return own.hard === BY_DEFAULT.hard ? BY_DEFAULT.soft : undefined;
};

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
  return (newest, start) => {
    if (newest + ROOM > soft) {
      const pid = start();
      setLimitOf(libc, pid, 'nofile', lowered);
      return pid;
    }
    setLimit(libc, 'nofile', lowered);
    try {
      return start();
    } finally {
      setLimit(libc, 'nofile', own);
    }
  };
};
