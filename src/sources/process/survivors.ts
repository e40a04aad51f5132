// Which runs outlived the supervisor before this one: leaders that carry its mark. The process table is right where a
// state file lags behind, so that a second copy is never started (`docs/behaviour.md`, "Adoption").
import type { Found } from '../../streams/domain/event.ts';
import { marks, runOfMark } from './mark.ts';
import type { ProcStat } from '../../os/proc-stat.ts';
import { statReader } from '../../os/proc-stat.ts';
import { takeSnapshot } from './snapshot.ts';

/** The process that leads its session was spawned by the supervisor itself: the others are its descendants. */
const isLeader = ({ pid, session, zombie }: ProcStat): boolean => pid === session && !zombie;

const foundBy = (mark: string, carriers: readonly ProcStat[]): readonly Found[] => {
  const unit = runOfMark(mark);
  if (unit === undefined) return [];
  // A member may have become a session leader too: the first to be born is the leader of the run.
  const leader = carriers.filter(isLeader).toSorted((a, b) => a.startTicks - b.startTicks)[0];
  if (leader === undefined) return [];
  const { pid, startTicks } = leader;
  return [{ ...unit, process: { pid, startTicks } }];
};

/** Every live run of this data directory's supervisor. */
export const survivors = async (dataDir: string): Promise<readonly Found[]> => {
  const { byMark } = await takeSnapshot({ stat: statReader(), marks: marks(dataDir) });
  return [...byMark].flatMap(([mark, carriers]) => foundBy(mark, carriers));
};
