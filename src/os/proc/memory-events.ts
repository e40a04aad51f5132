// The kernel's memory counters of a cgroup: `memory.events`.
import { readFileSync } from 'node:fs';

const KILLS = /^oom_kill (\d+)$/m;

/** True if the kernel killed a process in the cgroup for lack of memory. False if the cgroup is absent. */
export const wasOutOfMemory = (cgroup: string): boolean => {
  try {
    return Number(KILLS.exec(readFileSync(`${cgroup}/memory.events`, 'utf8'))?.[1] ?? 0) > 0;
  } catch {
    return false;
  }
};
