// Reads files of `/proc` other than `stat`: the list of processes, and the user ids, environment, name,
// command line and memory of a process. The command line of another user's process is not read, because that
// could block (`docs/security.md`).
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { isForbidden, isGone } from '../errno.ts';
import { statOfProcess } from './process-stat.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';

export interface UserIds {
  /** The user that started the process. A set-user-ID program does not change this id. */
  readonly real: number;
  readonly effective: number;
  readonly saved: number;
}

/** Returns the groups that the pattern captures in a file of `/proc`; none if the file cannot be read. */
export const groupsIn = (file: string, pattern: RegExp): readonly (string | undefined)[] => {
  try {
    // Node reads a file as UTF-8 in one call. With another encoding a read takes four times as long.
    return pattern.exec(readFileSync(file, 'utf8'))?.slice(1) ?? [];
  } catch {
    return [];
  }
};

const USER_IDS = /^Uid:\s+(\d+)\s+(\d+)\s+(\d+)/m;

/** Returns the user ids of a process. Never blocks, because no memory of the process is read. */
export const userIdsOf = (pid: number): UserIds | undefined => {
  const [real, effective, saved] = groupsIn(`/proc/${pid}/status`, USER_IDS).map(Number);
  return real === undefined || effective === undefined || saved === undefined
    ? undefined
    : { real, effective, saved };
};

/** True if all user ids are `uid`, so that the program cannot switch to another user. */
export const isWholly = (uid: number, ids: UserIds | undefined): boolean =>
  ids?.real === uid && ids.effective === uid && ids.saved === uid;

const KIB = 1024;

/** Returns the pids of all processes. Throws if `/proc` cannot be read. */
export const processIds = (): readonly number[] => readdirSync('/proc').filter(isPid).map(Number);

const isPid = (name: string): boolean => name.charCodeAt(0) >= 48 && name.charCodeAt(0) <= 57;

const environIn = (directory: string): string => {
  try {
    return readFileSync(`${directory}/environ`, 'utf8');
  } catch (error) {
    if (isGone(error) || isForbidden(error)) return '';
    throw error;
  }
};

/**
 * Returns a thread of the process other than the first. If the first thread has ended, the environment can be
 * read only through another thread.
 */
const otherThreadOf = (pid: number): string | undefined => {
  try {
    return readdirSync(`/proc/${pid}/task`).find((thread) => thread !== String(pid));
  } catch {
    return undefined;
  }
};

/** Returns the environment as `NAME=value`; empty if it may not be read. Throws other errors. */
export const environmentOf = (pid: number): readonly string[] => {
  let text = environIn(`/proc/${pid}`);
  const other = text === '' ? otherThreadOf(pid) : undefined;
  if (other !== undefined) text = environIn(`/proc/${pid}/task/${other}`);
  return text === '' ? [] : text.split('\0');
};

/** Returns the name of a process, as `ps` shows it; `undefined` if it cannot be read. */
export const nameOfProcess = (pid: number): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trimEnd();
  } catch {
    return undefined;
  }
};

/** Returns the peak memory of a process (`VmHWM`), bytes; `undefined` if it cannot be read. */
export const peakMemoryOf = (pid: number): number | undefined => {
  const [kib] = groupsIn(`/proc/${pid}/status`, /^VmHWM:\s+(\d+) kB$/m);
  return kib === undefined ? undefined : Number(kib) * KIB;
};

/**
 * Returns the proportional memory (PSS) of a process, bytes: memory that n processes share
 * counts as 1/n.
 */
export const proportionalMemoryOf = (pid: number): number | undefined => {
  const [kib] = groupsIn(`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+) kB$/m);
  return kib === undefined ? undefined : Number(kib) * KIB;
};

/** Maximum number of bytes of a command line. A longer command line is cut. */
const MOST_BYTES = 4_096;

const wordsIn = (pid: number): readonly string[] => {
  const file = openSync(`/proc/${pid}/cmdline`, 'r');
  try {
    const buffer = Buffer.alloc(MOST_BYTES);
    const text = buffer.toString('utf8', 0, readSync(file, buffer, 0, MOST_BYTES, null));
    return text.replace(/\0$/, '').split('\0');
  } finally {
    closeSync(file);
  }
};

/** Returns the command line; `undefined` if the process is gone, is a zombie or belongs to another user. */
export const processCommand = (process_: ProcessRef): readonly string[] | undefined => {
  try {
    const isOurs = isWholly(process.getuid?.() ?? 0, userIdsOf(process_.pid));
    if (!isOurs || statOfProcess(process_) === undefined) return undefined;
    const words = wordsIn(process_.pid);
    return words.join('') === '' ? undefined : words;
  } catch {
    return undefined;
  }
};

/** Returns the name of exactly this process; `undefined` if it is gone or may not be read. */
export const processName = (process: ProcessRef): string | undefined =>
  statOfProcess(process) === undefined ? undefined : nameOfProcess(process.pid);
