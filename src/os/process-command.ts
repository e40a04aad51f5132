// The command line of a process lies in its own memory. That of another user's process is not read, since it
// could block the supervisor (`docs/security.md`).
import { closeSync, openSync, readSync } from 'node:fs';
import type { ProcessRef } from '../streams/domain/service/process.ts';
import { statOfProcess } from './proc/proc-stat.ts';
import { isWholly, userIdsOf } from './proc/user-ids.ts';

/** Longer command lines are cut. */
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

/** `undefined`: the process is gone, a zombie, or another user's. */
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
