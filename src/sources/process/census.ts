// Who belongs to a run, asked of the kernel (port `Census`): one look at the process table answers all who wait for it.
import { defer, map } from 'rxjs';
import type { Census } from '../../streams/domain/ports.ts';
import { unitMark } from '../../streams/env/service-environment.ts';
import { marks } from './mark.ts';
import { membersIn } from './members.ts';
import { sharedLook } from './shared-look.ts';
import { statReader } from '../../os/proc-stat.ts';
import { takeSnapshot } from './process-table.ts';

export const procCensus = (ports: { readonly dataDir: string }): Census => {
  const stat = statReader();
  const known = marks(ports.dataDir);
  const self = { pid: process.pid, startTicks: stat(process.pid)?.startTicks ?? 0 };
  const look = sharedLook(() => takeSnapshot({ stat, marks: known }));
  const census: Census = {
    membersOf(service, run, leader) {
      const identity = { leader, mark: unitMark(service, run) };
      return defer(look).pipe(map((snapshot) => membersIn(snapshot, self, identity)));
    },
  };
  return census;
};
