// The processes in a cgroup: `cgroup.procs`.
import { readFileSync } from 'node:fs';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { statOf } from './proc-stat.ts';

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
