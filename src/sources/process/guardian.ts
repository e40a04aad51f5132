// The guardian of a data directory, in the process table: between the death of a supervisor and the next one it is all
// there is of them. Only where a lock was left behind: an orderly end leaves none, and there is nobody to look for.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { statReader } from '../../os/proc/proc-stat.ts';
import { processIds } from '../../os/proc/proc.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { layoutOf } from '../../streams/wire/layout.ts';

/** `/bin/sh <path>/sup-guardian <data directory> …`, ours. */
const isGuardian = (pid: number, dataDir: string): boolean => {
  try {
    const [, script = '', place] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    if (place !== dataDir || !/\/sup-guardian(\.sh)?$/.test(script)) return false;
    return statSync(`/proc/${pid}`).uid === process.getuid?.();
  } catch {
    return false;
  }
};

/** Throws when the process table cannot be read. */
export const guardianOf = (dataDir: string): ProcessRef | undefined => {
  if (!existsSync(layoutOf(dataDir).lock)) return undefined;
  const read = statReader();
  for (const pid of processIds()) {
    if (!isGuardian(pid, dataDir)) continue;
    const stat = read(pid);
    // Its own child between fork and exec is called as it is.
    if (stat !== undefined && !stat.zombie && !isGuardian(stat.parent, dataDir))
      return { pid, startTicks: stat.startTicks };
  }
  return undefined;
};
