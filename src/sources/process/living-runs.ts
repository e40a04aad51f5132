// Which runs outlived the supervisor before this one: leaders that carry its mark. The process table is right where a
// state file lags behind, so that a second copy is never started (`docs/behaviour.md`, "Adoption").
import type { Found } from '../../streams/domain/event.ts';
import { marks, runOfMark } from './mark.ts';
import type { ProcStat } from '../../os/proc-stat.ts';
import { statReader } from '../../os/proc-stat.ts';
import { selfAndAncestors } from './members.ts';
import { takeSnapshot, type Snapshot } from './process-table.ts';

/** The process that leads its session was spawned by the supervisor itself: the others are its descendants. */
const isLeader = ({ pid, session, zombie }: ProcStat): boolean => pid === session && !zombie;

type Choose = (carriers: readonly ProcStat[]) => ProcStat | undefined;

const firstBorn: Choose = (carriers) => carriers.toSorted((a, b) => a.startTicks - b.startTicks)[0];

/** A member may have become a session leader too: the first to be born is the leader of the run. */
const leader: Choose = (carriers) => firstBorn(carriers.filter(isLeader));

const foundBy = (mark: string, stat: ProcStat | undefined): readonly Found[] => {
  const unit = runOfMark(mark);
  if (unit === undefined || stat === undefined) return [];
  const { pid, startTicks } = stat;
  return [{ ...unit, process: { pid, startTicks } }];
};

const look = (dataDir: string): Promise<Snapshot> =>
  takeSnapshot({ stat: statReader(), marks: marks(dataDir) });

/** Every live run of this data directory's supervisor. */
export const livingRuns = async (dataDir: string): Promise<readonly Found[]> => {
  const { byMark } = await look(dataDir);
  return [...byMark].flatMap(([mark, carriers]) => foundBy(mark, leader(carriers)));
};

/**
 * Every run of which anybody is alive. Where the leader is gone the first-born of the others stands for it, unless that is
 * who asks, or an ancestor.
 */
export const remains = async (dataDir: string): Promise<readonly Found[]> => {
  const snapshot = await look(dataDir);
  const spared = selfAndAncestors(snapshot, process.pid);
  const others = (carriers: readonly ProcStat[]): readonly ProcStat[] =>
    carriers.filter(({ pid }) => !spared.has(pid));
  return [...snapshot.byMark].flatMap(([mark, carriers]) =>
    foundBy(mark, leader(carriers) ?? firstBorn(others(carriers))),
  );
};
