// What `/proc` tells beside `stat`: who there is, what a process was given to live in, how much memory it has taken.
import { readdirSync, readFileSync } from 'node:fs';
import { isForbidden, isGone } from '../errno.ts';

const KIB = 1024;

/** Every process there is at this moment. Throws when the table cannot be read. */
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

/** A thread that is not the first: of a process without that one it tells what all of them have. */
const otherThreadOf = (pid: number): string | undefined => {
  try {
    return readdirSync(`/proc/${pid}/task`).find((thread) => thread !== String(pid));
  } catch {
    return undefined;
  }
};

/** `NAME=value` each; nothing of a process that is gone or not ours to read. Throws when it cannot tell. */
export const environmentOf = (pid: number): readonly string[] => {
  let text = environIn(`/proc/${pid}`);
  const other = text === '' ? otherThreadOf(pid) : undefined;
  if (other !== undefined) text = environIn(`/proc/${pid}/task/${other}`);
  return text === '' ? [] : text.split('\0');
};

/** Its name, as `ps` shows it; `undefined` when that is not to be had. */
export const nameOfProcess = (pid: number): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trimEnd();
  } catch {
    return undefined;
  }
};

/** The most memory it has held at once, in bytes (`VmHWM`); `undefined` when that is not to be had. */
export const peakMemoryOf = (pid: number): number | undefined => {
  try {
    const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return kib === undefined ? undefined : Number(kib) * KIB;
  } catch {
    return undefined;
  }
};
