// Who belongs to the runs that are sampled, kept from look to look. A process is asked once where it belongs: it was born
// into a run and stays in it. So only the members are read each time, and whoever is new; the rest of the machine costs
// nothing (`docs/metrics.md`, "Whose use it is").
import type { ProcStat } from '../../os/proc/stat-line.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import type { SampledRun } from '../../streams/metrics/sampled-runs.ts';
import type { Marks } from '../process/mark.ts';

interface MembershipPorts {
  /** All pids there are. */
  readonly pids: () => readonly number[];
  /** Differs when somebody has begun since; `undefined`: nobody can tell. */
  readonly newest: () => string | undefined;
  readonly stat: (pid: number) => ProcStat | undefined;
  readonly marks: Pick<Marks, 'markOf' | 'retain'>;
  /** The supervisor and all its ancestors: whoever lost his parent has one of them. */
  readonly foster: () => ReadonlySet<number>;
  readonly self: number;
}

interface Member {
  readonly startTicks: number;
  readonly run: SampledRun;
}

export interface Membership {
  /** Brings everybody up to date, and says who belongs to whom. */
  look(runs: readonly SampledRun[]): ReadonlyMap<number, Member>;
  /** It is gone. */
  leave(pid: number): void;
}

/** After so many looks everybody is asked again: one may have been seen in the middle of becoming another. */
const DOUBTS = 60;

const leaderKey = ({ pid, startTicks }: ProcessRef): string => `${pid}:${startTicks}`;

export const membership = (ports: MembershipPorts): Membership => {
  const members = new Map<number, Member>();
  const strangers = new Set<number>();
  const place = placing(ports, members);
  let known: readonly SampledRun[] = [];
  let looks = 0;
  let newest: string | undefined;

  const ask = (): void => {
    const pids = ports.pids();
    const alive = new Set(pids);
    for (const pid of strangers) if (!alive.has(pid)) strangers.delete(pid);
    const unknown = pids.filter((pid) => !members.has(pid) && !strangers.has(pid));
    place(known, unknown).forEach((pid) => strangers.add(pid));
  };

  const anew = (runs: readonly SampledRun[]): void => {
    known = runs;
    retainRuns(members, runs);
    strangers.clear();
    newest = undefined;
  };

  return {
    look: (runs) => {
      looks += 1;
      if (runs !== known || looks % DOUBTS === 0) anew(runs);
      const latest = ports.newest();
      if (latest === undefined || latest !== newest) ask();
      newest = latest;
      return members;
    },
    leave: (pid) => void members.delete(pid),
  };
};

/** Members of runs that are over belong nowhere. */
const retainRuns = (members: Map<number, Member>, runs: readonly SampledRun[]): void => {
  const marks = new Map(runs.map((run) => [run.mark, run]));
  for (const [pid, { startTicks, run }] of members) {
    const now = marks.get(run.mark);
    if (now === undefined) members.delete(pid);
    else members.set(pid, { startTicks, run: now });
  }
};

const NOBODY: ReadonlySet<number> = new Set();

/** Puts the new ones where they belong; who is left belongs nowhere. */
const placing =
  ({ stat, marks, foster, self }: MembershipPorts, members: Map<number, Member>) =>
  (runs: readonly SampledRun[], unknown: readonly number[]): readonly number[] => {
    const stats = unknown.flatMap((pid) => (pid === self ? [] : (stat(pid) ?? [])));
    const leaders = new Map(runs.map((run) => [leaderKey(run.leader), run]));
    const marked = new Map(runs.map((run) => [run.mark, run]));
    const joins = (found: ProcStat, run: SampledRun | undefined): boolean => {
      if (run === undefined || found.startTicks < run.leader.startTicks) return false;
      members.set(found.pid, { startTicks: found.startTicks, run });
      return true;
    };
    const kin = ({ parent, session, group }: ProcStat): SampledRun | undefined =>
      (members.get(parent) ?? members.get(session) ?? members.get(group))?.run;
    const joinKin = (waiting: readonly ProcStat[]): readonly ProcStat[] => {
      const left = waiting.filter((found) => !joins(found, kin(found)));
      return left.length === waiting.length ? left : joinKin(left);
    };
    const unrelated = joinKin(stats.filter((found) => !joins(found, leaders.get(leaderKey(found)))));
    const parents = unrelated.length === 0 ? NOBODY : foster();
    const isStrayed = (found: ProcStat): boolean =>
      parents.has(found.parent) && joins(found, marked.get(marks.markOf(found) ?? ''));
    const strayed = joinKin(unrelated.filter((found) => !isStrayed(found)));
    marks.retain(new Map());
    return [self, ...strayed.map(({ pid }) => pid)];
  };
