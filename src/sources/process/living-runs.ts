// Which runs outlived the supervisor before this one: all processes that carry its mark. The process table is right where
// a state file lags behind, so that nobody begins beside anybody (`docs/behaviour.md`, "Adoption").
import { marksBorn } from '../../os/children/birthmark.ts';
import type { Found } from '../../streams/domain/event.ts';
import type { ServiceId } from '../../streams/domain/ids.ts';
import { environmentOf } from '../../os/proc/proc.ts';
import { CHILD } from '../../streams/env/service-environment.ts';
import { marks, runOfMark } from './mark.ts';
import type { ProcStat } from '../../os/proc/stat-line.ts';
import { momentOf } from '../../os/proc/moment.ts';
import { statReader } from '../../os/proc/proc-stat.ts';
import { selfAndAncestors } from './members.ts';
import { takeSnapshot } from './process-table.ts';
import type { Snapshot } from './snapshot.ts';

/** The process that leads its session was spawned by the supervisor itself: the others are its descendants. */
const isLeader = ({ pid, session }: ProcStat): boolean => pid === session;

const firstBorn = (carriers: readonly ProcStat[]): ProcStat | undefined =>
  carriers.toSorted((a, b) => a.startTicks - b.startTicks)[0];

interface Carriers {
  readonly alive: readonly ProcStat[];
  /** Who has shed that mark, and has the one it was born with: no leader does. */
  readonly born: readonly ProcStat[];
  /** Who asks, and its ancestors. */
  readonly spared: ReadonlySet<number>;
}

/** It, or whom it descends from, was started because a service asked for it. */
const isOfChild = (pid: number): boolean =>
  environmentOf(pid).some((variable) => variable.startsWith(`${CHILD}=`));

/** A member may have become a session leader too: the first to be born is the leader of the run. */
const foundBy = (mark: string, { alive, born, spared }: Carriers): readonly Found[] => {
  const unit = runOfMark(mark);
  const leader = firstBorn(alive.filter(isLeader));
  const one = leader ?? firstBorn([...alive, ...born].filter(({ pid }) => !spared.has(pid)));
  if (unit === undefined || one === undefined) return [];
  const { pid, startTicks } = one;
  return [
    {
      ...unit,
      process: { pid, startTicks },
      since: momentOf(startTicks),
      ...(leader === undefined && { orphaned: true }),
      ...(isOfChild(pid) && { child: true }),
    },
  ];
};

/** By the mark that they would have if they had kept it. */
const bornBy = (
  { byBirthmark }: Snapshot,
  markOf: (birthmark: string) => string | undefined,
): ReadonlyMap<string, readonly ProcStat[]> =>
  new Map(
    [...byBirthmark].flatMap(([birthmark, born]) => {
      const mark = markOf(birthmark);
      return mark === undefined ? [] : [[mark, born] as const];
    }),
  );

/**
 * Every run of this data directory's supervisor of which anybody is alive; who asks, or an ancestor, is not left behind.
 * Who has shed its mark is found of these services only.
 */
export const livingRuns = async (
  dataDir: string,
  services: readonly ServiceId[],
): Promise<readonly Found[]> => {
  const snapshot = await takeSnapshot({ stat: statReader(), marks: marks(dataDir) });
  const spared = selfAndAncestors(snapshot, process.pid);
  const strays = bornBy(snapshot, marksBorn(dataDir, services));
  return [...new Set([...snapshot.byMark.keys(), ...strays.keys()])].flatMap((mark) => {
    const alive = (snapshot.byMark.get(mark) ?? []).filter(({ zombie }) => !zombie);
    return foundBy(mark, { alive, born: strays.get(mark) ?? [], spared });
  });
};
