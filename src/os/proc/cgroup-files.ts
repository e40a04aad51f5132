// Files of a cgroup: its processes (`cgroup.procs`), and the kernel's memory counters (`memory.events`).
import { readFileSync } from 'node:fs';
import { statOf } from './process-stat.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';

const textOf = (cgroup: string): string => {
  try {
    return readFileSync(`${cgroup}/cgroup.procs`, 'latin1');
  } catch {
    return '';
  }
};

/** The living members of a cgroup, without zombies. A cgroup that is absent, or cannot be read, has none. */
export const cgroupMembers = (cgroup: string | undefined): readonly ProcessRef[] =>
  cgroup === undefined
    ? []
    : textOf(cgroup)
        .split('\n')
        .filter((line) => /^[1-9]\d*$/.test(line))
        .flatMap((line) => {
          const stat = statOf(Number(line));
          return stat === undefined || stat.zombie ? [] : [{ pid: stat.pid, startTicks: stat.startTicks }];
        });

const KILLS = /^oom_kill (\d+)$/m;

/** True if the kernel killed a process in the cgroup for lack of memory. False if the cgroup is absent. */
export const wasOutOfMemory = (cgroup: string): boolean => {
  try {
    return Number(KILLS.exec(readFileSync(`${cgroup}/memory.events`, 'utf8'))?.[1] ?? 0) > 0;
  } catch {
    return false;
  }
};
