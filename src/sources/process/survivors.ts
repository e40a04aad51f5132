// Which runs outlived the supervisor before this one: leaders that carry its mark. The process table is right where a
// state file lags behind, so that a second copy is never started (`spec/gaps` §9).
import type { Found } from '../../streams/domain/event.ts';
import { runId, type ServiceId } from '../../streams/domain/ids.ts';
import { marks } from './mark.ts';
import type { ProcStat } from '../../os/proc-stat.ts';
import { statReader } from '../../os/proc-stat.ts';
import { takeSnapshot } from './snapshot.ts';

/** `shop/web#4`; the marks of the supervisor's own commands begin with `!`. */
const MARK = /^([^!#][^#]*)#(\d+)$/;

/** The process that leads its session was spawned by the supervisor itself: the others are its descendants. */
const isLeader = ({ pid, session, zombie }: ProcStat): boolean => pid === session && !zombie;

const foundBy = (mark: string, carriers: readonly ProcStat[]): readonly Found[] => {
  const [, service, run] = MARK.exec(mark) ?? [];
  if (service === undefined || run === undefined) return [];
  // A member may have become a session leader too: the first to be born is the leader of the run.
  const leader = carriers.filter(isLeader).toSorted((a, b) => a.startTicks - b.startTicks)[0];
  if (leader === undefined) return [];
  const { pid, startTicks } = leader;
  // The mark was made of a service's id by `unitMark`.
  return [{ service: service as ServiceId, run: runId(Number(run)), process: { pid, startTicks } }];
};

/** Every live run of this data directory's supervisor. */
export const survivors = async (dataDir: string): Promise<readonly Found[]> => {
  const { byMark } = await takeSnapshot({ stat: statReader(), marks: marks(dataDir) });
  return [...byMark].flatMap(([mark, carriers]) => foundBy(mark, carriers));
};
