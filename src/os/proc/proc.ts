// Reads `/proc` besides `stat`: the list of processes, and the environment, name and peak memory of one.
import { readdirSync, readFileSync } from 'node:fs';
import { isForbidden, isGone } from '../errno.ts';

const KIB = 1024;

/** Every process at this moment. Throws if the table cannot be read. */
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

/** A thread other than the first. If the first has ended, the environment is read from another. */
const otherThreadOf = (pid: number): string | undefined => {
  try {
    return readdirSync(`/proc/${pid}/task`).find((thread) => thread !== String(pid));
  } catch {
    return undefined;
  }
};

/** `NAME=value` each; empty for a process that is gone or may not be read. Throws on other errors. */
export const environmentOf = (pid: number): readonly string[] => {
  let text = environIn(`/proc/${pid}`);
  const other = text === '' ? otherThreadOf(pid) : undefined;
  if (other !== undefined) text = environIn(`/proc/${pid}/task/${other}`);
  return text === '' ? [] : text.split('\0');
};

/** The name of a process, as `ps` shows it; `undefined` if it cannot be read. */
export const nameOfProcess = (pid: number): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trimEnd();
  } catch {
    return undefined;
  }
};

/** The peak memory of a process in bytes (`VmHWM`); `undefined` if it cannot be read. */
export const peakMemoryOf = (pid: number): number | undefined => {
  try {
    const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return kib === undefined ? undefined : Number(kib) * KIB;
  } catch {
    return undefined;
  }
};
