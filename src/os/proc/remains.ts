// How a process ended that nobody has collected yet, as its remains tell.
import { readFileSync } from 'node:fs';
import type { ExitStatus } from '../../streams/domain/service/exit.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { statusOfWord } from '../libc/pidfd.ts';
import { statOfProcess } from './proc-stat.ts';

const EXIT_CODE_FIELD = 52;

/**
 * What stands in `/proc` of a process that has ended and was not collected. Whoever may not know reads a zero there,
 * which is no success: it counts only of one that is our own in every respect.
 */
export const statusOfRemains = (process: ProcessRef): ExitStatus | undefined => {
  if (statOfProcess(process)?.zombie !== true) return undefined;
  try {
    const line = readFileSync(`/proc/${process.pid}/stat`, 'latin1');
    const word = Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[EXIT_CODE_FIELD - 3]);
    return word !== 0 || isOwn(process.pid) ? statusOfWord(word) : undefined;
  } catch {
    return undefined;
  }
};

const IDS = /^(?:Uid|Gid):\t(\d+)\t(\d+)\t(\d+)/gm;

const isOwn = (pid: number): boolean => {
  const [theirs, ours] = [pid, 'self'].map((whose) => [
    ...readFileSync(`/proc/${whose}/status`, 'latin1').matchAll(IDS),
  ]);
  const ids = theirs?.flatMap(([, ...found]) => found) ?? [];
  const [[, uid] = [], [, gid] = []] = ours ?? [];
  return ids.length === 6 && ids.every((id, at) => id === (at < 3 ? uid : gid));
};
