// Reads the processes of a cgroup (`cgroup.procs`) and its out-of-memory kills (`memory.events`).
import { groupsIn } from './process-facts.ts';
import { statOf } from './process-stat.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';

/** Returns the living processes of a cgroup, without zombies; none if it cannot be read. */
export const cgroupMembers = (cgroup: string | undefined): readonly ProcessRef[] =>
  (cgroup === undefined ? [] : groupsIn(`${cgroup}/cgroup.procs`, /^([^]*)$/))
    .flatMap((text = '') => text.split('\n'))
    .filter((line) => /^[1-9]\d*$/.test(line))
    .flatMap((line) => {
      const stat = statOf(Number(line));
      return stat === undefined || stat.zombie ? [] : [{ pid: stat.pid, startTicks: stat.startTicks }];
    });

const KILLS = /^oom_kill (\d+)$/m;

/** True if the kernel killed a process in the cgroup for lack of memory. False if there is no such cgroup. */
export const wasOutOfMemory = (cgroup: string): boolean =>
  Number(groupsIn(`${cgroup}/memory.events`, KILLS)[0] ?? 0) > 0;
