// Who belongs to a run, asked of the kernel (port `Census`): one look at the process table answers all who wait for it.
import { defer, EMPTY, expand, map, takeLast } from 'rxjs';
import { birthmarkFor } from '../../os/children/birthmark.ts';
import type { Census } from '../../streams/domain/ports.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { unitMark } from '../../streams/env/service-environment.ts';
import { marks } from './mark.ts';
import { membersIn } from './members.ts';
import { sharedLook } from './shared-look.ts';
import { statReader } from '../../os/proc/proc-stat.ts';
import { standingTable } from './standing-table.ts';

/** Where others begin and end all the time no look is ever sure: nobody in so many of them is nobody. */
const MOST_LOOKS = 50;

export const procCensus = (ports: { readonly dataDir: string }): Census => {
  const stat = statReader();
  const known = marks(ports.dataDir);
  const self = { pid: process.pid, startTicks: stat(process.pid)?.startTicks ?? 0 };
  const table = standingTable({ stat, marks: known });
  const lookFor = sharedLook((leaders: readonly ProcessRef[]) =>
    table.look(Math.min(...leaders.map(({ startTicks }) => startTicks))),
  );
  const census: Census = {
    membersOf(service, run, leader) {
      const mark = unitMark(service, run);
      const identity = { leader, mark, birthmark: birthmarkFor(ports.dataDir, mark) };
      const once$ = defer(() => lookFor(leader)).pipe(
        map((snapshot) => ({ members: membersIn(snapshot, self, identity), sure: !snapshot.undecided })),
      );
      return once$.pipe(
        expand(({ members, sure }, looks) =>
          members.length > 0 || sure || looks >= MOST_LOOKS ? EMPTY : once$,
        ),
        takeLast(1),
        map(({ members }) => members),
      );
    },
  };
  return census;
};
