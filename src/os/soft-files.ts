// How many files a process that we start may have open: what we were started with ourselves. Node raises its own soft
// limit to the hard one before any of our code runs, so that what it was is not to be had from this process.
import { readFileSync } from 'node:fs';
import type { Libc } from './libc.ts';
import { readLimit, setLimit, setLimitOf } from './libc/limits.ts';

export interface FileLimit {
  readonly soft: number;
  readonly hard: number;
}

/** What the kernel begins with, and systemd: whoever wants more asks for it. */
const CUSTOMARY = 1024;

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
 * The soft limit that a Node process was started with. Its parent's, if the two have the same hard limit and the parent
 * has not raised its own (as another Node program has); else the customary one.
 */
export const softFilesBeforeNode = (
  own: FileLimit | undefined,
  parent: FileLimit | undefined,
): number | undefined => {
  if (own === undefined || own.soft < own.hard) return own?.soft;
  const inherited = parent !== undefined && parent.hard === own.hard && parent.soft < parent.hard;
  return Math.min(inherited ? parent.soft : CUSTOMARY, own.hard);
};

/** Of this very process. */
export const ownSoftFiles = (): number | undefined =>
  softFilesBeforeNode(fileLimitOf(process.pid), fileLimitOf(process.ppid));

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
