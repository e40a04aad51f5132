// Which runs outlived the supervisor before this one: all processes that carry its mark. The process table is right where
// a state file lags behind, so that nobody begins beside anybody (`docs/behaviour.md`, "Adoption").
import type { Found } from '../../streams/domain/event.ts';
import { environmentOf } from '../../os/proc/proc.ts';
import { CHILD } from '../../streams/env/service-environment.ts';
import { marks, runOfMark } from './mark.ts';
import type { ProcStat } from '../../os/proc/proc-stat.ts';
import { statReader } from '../../os/proc/proc-stat.ts';
import { selfAndAncestors } from './members.ts';
import { takeSnapshot } from './process-table.ts';

/** The process that leads its session was spawned by the supervisor itself: the others are its descendants. */
const isLeader = ({ pid, session }: ProcStat): boolean => pid === session;

const firstBorn = (carriers: readonly ProcStat[]): ProcStat | undefined =>
  carriers.toSorted((a, b) => a.startTicks - b.startTicks)[0];

interface Carriers {
  readonly alive: readonly ProcStat[];
  /** Who asks, and its ancestors. */
  readonly spared: ReadonlySet<number>;
}

/** It, or whom it descends from, was started because a service asked for it. */
const isOfChild = (pid: number): boolean =>
  environmentOf(pid).some((variable) => variable.startsWith(`${CHILD}=`));

/** A member may have become a session leader too: the first to be born is the leader of the run. */
const foundBy = (mark: string, { alive, spared }: Carriers): readonly Found[] => {
  const unit = runOfMark(mark);
  const leader = firstBorn(alive.filter(isLeader));
  const one = leader ?? firstBorn(alive.filter(({ pid }) => !spared.has(pid)));
  if (unit === undefined || one === undefined) return [];
  const { pid, startTicks } = one;
  return [
    {
      ...unit,
      process: { pid, startTicks },
      ...(leader === undefined && { orphaned: true }),
      ...(isOfChild(pid) && { child: true }),
    },
  ];
};

/** Every run of this data directory's supervisor of which anybody is alive; who asks, or an ancestor, is not left behind. */
export const livingRuns = async (dataDir: string): Promise<readonly Found[]> => {
  const snapshot = await takeSnapshot({ stat: statReader(), marks: marks(dataDir) });
  const spared = selfAndAncestors(snapshot, process.pid);
  return [...snapshot.byMark].flatMap(([mark, carriers]) =>
    foundBy(mark, { alive: carriers.filter(({ zombie }) => !zombie), spared }),
  );
};
