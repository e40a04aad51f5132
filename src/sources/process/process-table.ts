// One look at the whole process table, indexed by everything a run's members are found by.
import { setImmediate } from 'node:timers/promises';
import { processIds } from '../../os/proc.ts';
import type { Marks } from './mark.ts';
import type { ProcStat } from '../../os/proc-stat.ts';

export interface Snapshot {
  readonly processes: ReadonlyMap<number, ProcStat>;
  readonly bySession: Index<number>;
  readonly byGroup: Index<number>;
  readonly byParent: Index<number>;
  readonly byMark: Index<string>;
}
export type Index<K> = ReadonlyMap<K, readonly ProcStat[]>;

interface SnapshotPorts {
  readonly stat: (pid: number) => ProcStat | undefined;
  readonly marks: Marks;
}

/** Processes read in one go, about 2 ms: a large table must not hold up the event loop. */
const SLICE = 200;

export const takeSnapshot = async ({ stat, marks }: SnapshotPorts): Promise<Snapshot> => {
  const entries: Entry[] = [];
  // Not by way of the thread pool: two hops between threads take longer than the listing. One turn of the loop, so that
  // whoever asks in this one shares the look.
  await setImmediate();
  const pids = processIds();
  for (let at = 0; at < pids.length; at += SLICE) {
    if (at > 0) await setImmediate();
    for (const pid of pids.slice(at, at + SLICE)) {
      const found = stat(pid);
      if (found !== undefined)
        entries.push({ stat: found, mark: found.zombie ? undefined : marks.markOf(found) });
    }
  }
  const snapshot = indexed(entries);
  marks.retain(snapshot.processes);
  return snapshot;
};

interface Entry {
  readonly stat: ProcStat;
  readonly mark: string | undefined;
}

export const indexed = (entries: readonly Entry[]): Snapshot => {
  const stats = entries.map(({ stat }) => stat);
  return {
    processes: new Map(stats.map((stat) => [stat.pid, stat])),
    bySession: grouped(stats, ({ session }) => session),
    byGroup: grouped(stats, ({ group }) => group),
    byParent: grouped(stats, ({ parent }) => parent),
    byMark: markedBy(entries),
  };
};

const grouped = <K>(stats: readonly ProcStat[], keyOf: (stat: ProcStat) => K): Index<K> => {
  const index = new Map<K, ProcStat[]>();
  for (const stat of stats) append(index, keyOf(stat), stat);
  return index;
};

const markedBy = (entries: readonly Entry[]): Index<string> => {
  const index = new Map<string, ProcStat[]>();
  for (const { stat, mark } of entries) if (mark !== undefined) append(index, mark, stat);
  return index;
};

const append = <K>(index: Map<K, ProcStat[]>, key: K, stat: ProcStat): void => {
  const present = index.get(key);
  if (present === undefined) index.set(key, [stat]);
  else present.push(stat);
};
