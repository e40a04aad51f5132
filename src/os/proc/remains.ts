// The exit status of a process that is not reaped yet.
import { readFileSync, readlinkSync } from 'node:fs';
import type { ExitStatus } from '../../streams/domain/service/exit.ts';
import { sameProcess, type ProcessRef } from '../../streams/domain/service/process.ts';
import { statusOfWord } from '../libc/pidfd.ts';
import { parseStat } from './stat-line.ts';

const EXIT_CODE_FIELD = 52;

/**
 * The status of a zombie in `/proc`. A reader without the right to trace the process reads a zero there,
 * which is no success. The kernel checks the same right for the namespace links of a process, and a zombie
 * keeps its user namespace.
 */
export const statusOfRemains = (process: ProcessRef): ExitStatus | undefined => {
  const { pid } = process;
  try {
    readlinkSync(`/proc/${pid}/ns/user`);
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const stat = parseStat(pid, line);
    if (!stat.zombie || !sameProcess(stat, process)) return undefined;
    return statusOfWord(Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[EXIT_CODE_FIELD - 3]));
  } catch {
    return undefined;
  }
};
