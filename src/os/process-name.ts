// The kernel's name of a process: at most 15 characters, which the process may change.
import { readFileSync } from 'node:fs';
import type { ProcessRef } from '../streams/domain/service/process.ts';
import { statOfProcess } from './proc/proc-stat.ts';

/** `undefined`: the process is gone, or may not be read. */
export const processName = (process: ProcessRef): string | undefined => {
  try {
    if (statOfProcess(process) === undefined) return undefined;
    return readFileSync(`/proc/${process.pid}/comm`, 'utf8').trimEnd();
  } catch {
    return undefined;
  }
};
