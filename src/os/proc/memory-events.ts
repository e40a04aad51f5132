// What the kernel counts of a cgroup's memory: `memory.events`.
import { readFileSync } from 'node:fs';

const KILLS = /^oom_kill (\d+)$/m;

/** The kernel killed somebody in it for want of memory. A cgroup that is not there has lost nobody. */
export const wasOutOfMemory = (cgroup: string): boolean => {
  try {
    return Number(KILLS.exec(readFileSync(`${cgroup}/memory.events`, 'utf8'))?.[1] ?? 0) > 0;
  } catch {
    return false;
  }
};
