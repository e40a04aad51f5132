// Remembers which processes belong to the sampled runs. A process belongs to its run from its start to its
// end, so a scan reads only known members and new processes (`docs/metrics.md`, "Whose use it is").
import type { ProcStat } from '../../os/proc/process-stat.ts';
import { processKey, type ProcessRef } from '../../streams/domain/service/process.ts';
import type { SampledRun } from '../../streams/metrics/sampled-runs.ts';
import type { Marks } from '../process/read-tags.ts';

interface MembershipPorts {
  /** Returns all current pids. */
  readonly pids: () => readonly number[];
  /** Returns a number that changes when a process is started; `undefined` if it cannot be read. */
  readonly newest: () => number | undefined;
  readonly stat: (pid: number) => ProcStat | undefined;
  readonly marks: Pick<Marks, 'markOf' | 'retain'>;
  /**
   * Returns the pids of the supervisor and its ancestors. If the parent of a process exits, one of them
   * becomes its parent.
   */
  readonly foster: () => ReadonlySet<number>;
  readonly self: number;
}

interface Member {
  readonly startTicks: number;
  readonly run: SampledRun;
}

export interface Membership {
  /** Finds the processes that belong to `runs`. Returns the run of each such process by pid. */
  scan(runs: readonly SampledRun[]): ReadonlyMap<number, Member>;
  /** Forgets a process that has exited; its pid may be reused. */
  leave(pid: number): void;
}

/**
 * The number of scans after which processes without a run are examined again. A process may have had no tag
 * only because it was executing another program at the first scan.
 */
const DOUBTS = 60;

/** Processes that belonged to no run when they were examined. */
class Strangers {
  /** The start time of each process in ticks, by pid. */
  readonly #since = new Map<number, number>();

  has(pid: number): boolean {
    return this.#since.has(pid);
  }

  add(strangers: readonly ProcessRef[]): void {
    for (const { pid, startTicks } of strangers) this.#since.set(pid, startTicks);
  }

  retain(alive: ReadonlySet<number>): void {
    for (const pid of this.#since.keys()) if (!alive.has(pid)) this.#since.delete(pid);
  }

  /**
   * Marks the processes that are as old as `runs` or younger as not examined, because they may belong to one
   * of `runs`.
   */
  doubt(runs: readonly SampledRun[]): void {
    const oldest = Math.min(...runs.map(({ leader }) => leader.startTicks));
    for (const [pid, since] of this.#since) if (since >= oldest) this.#since.delete(pid);
  }
}

/** Creates the record of members. It lists the process table only if a process was started. */
export const membership = (ports: MembershipPorts): Membership => {
  const members = new Map<number, Member>();
  const strangers = new Strangers();
  const place = placing(ports, members);
  let known: readonly SampledRun[] = [];
  let scans = 0;
  let newest: number | undefined;

  const ask = (): void => {
    const pids = ports.pids();
    strangers.retain(new Set(pids));
    const unknown = pids.filter((pid) => !members.has(pid) && !strangers.has(pid));
    strangers.add(place(known, unknown));
  };

  const doubt = (runs: readonly SampledRun[]): void => {
    strangers.doubt(runs);
    newest = undefined;
  };

  const follow = (runs: readonly SampledRun[]): void => {
    const before = new Set(known.map(({ mark }) => mark));
    doubt(runs.filter(({ mark }) => !before.has(mark)));
    known = runs;
    retainRuns(members, runs);
  };

  return {
    scan: (runs) => {
      scans += 1;
      if (runs !== known) follow(runs);
      if (scans % DOUBTS === 0) doubt(runs);
      const latest = ports.newest();
      if (latest === undefined || latest !== newest) ask();
      newest = latest;
      return members;
    },
    leave: (pid) => void members.delete(pid),
  };
};

/** Removes the members of runs that have ended. */
const retainRuns = (members: Map<number, Member>, runs: readonly SampledRun[]): void => {
  const marks = new Map(runs.map((run) => [run.mark, run]));
  for (const [pid, { startTicks, run }] of members) {
    const now = marks.get(run.mark);
    if (now === undefined) members.delete(pid);
    else members.set(pid, { startTicks, run: now });
  }
};

const NO_PIDS: ReadonlySet<number> = new Set();

/** Adds new processes to their runs. Returns the processes that belong to no run. */
const placing =
  ({ stat, marks, foster, self }: MembershipPorts, members: Map<number, Member>) =>
  (runs: readonly SampledRun[], unknown: readonly number[]): readonly ProcessRef[] => {
    const stats = unknown.flatMap((pid) => (pid === self ? [] : (stat(pid) ?? [])));
    const leaders = new Map(runs.map((run) => [processKey(run.leader), run]));
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
    const unrelated = joinKin(stats.filter((found) => !joins(found, leaders.get(processKey(found)))));
    const parents = unrelated.length === 0 ? NO_PIDS : foster();
    const joinsByTag = (found: ProcStat): boolean =>
      parents.has(found.parent) && joins(found, marked.get(marks.markOf(found) ?? ''));
    const others = joinKin(unrelated.filter((found) => !joinsByTag(found)));
    marks.retain(new Map());
    return [{ pid: self, startTicks: -1 }, ...others];
  };
