// The processes at one moment, indexed by everything that identifies the members of a run.
import type { ProcStat } from '../../os/proc/stat-line.ts';

export interface Snapshot {
  readonly processes: ReadonlyMap<number, ProcStat>;
  readonly bySession: Index<number>;
  readonly byGroup: Index<number>;
  readonly byParent: Index<number>;
  readonly byMark: Index<string>;
  readonly byBirthmark: Index<string>;
  /** By pid: the other supervisor's directory that the environment names. */
  readonly claims: ReadonlyMap<number, string>;
  /** True if a process may have been missed. */
  readonly undecided: boolean;
}

export type Index<K> = ReadonlyMap<K, readonly ProcStat[]>;

/** A process that was read. */
export interface Entry {
  readonly stat: ProcStat;
  readonly mark: string | undefined;
  readonly birthmark?: string | undefined;
  /** The other supervisor's directory in its environment. */
  readonly claim?: string | undefined;
}

/** `processes` holds all processes if the entries are only some of them. */
export const indexed = (
  entries: readonly Entry[],
  undecided = false,
  processes?: Snapshot['processes'],
): Snapshot => {
  const stats = entries.map(({ stat }) => stat);
  return {
    processes: processes ?? new Map(stats.map((stat) => [stat.pid, stat])),
    bySession: grouped(stats, ({ session }) => session),
    byGroup: grouped(stats, ({ group }) => group),
    byParent: grouped(stats, ({ parent }) => parent),
    byMark: markedBy(entries, ({ mark }) => mark),
    byBirthmark: markedBy(entries, ({ birthmark }) => birthmark),
    claims: new Map(entries.flatMap(({ stat, claim }) => (claim === undefined ? [] : [[stat.pid, claim]]))),
    undecided,
  };
};

const grouped = <K>(stats: readonly ProcStat[], keyOf: (stat: ProcStat) => K): Index<K> => {
  const index = new Map<K, ProcStat[]>();
  for (const stat of stats) append(index, keyOf(stat), stat);
  return index;
};

const markedBy = (entries: readonly Entry[], markOf: (entry: Entry) => string | undefined): Index<string> => {
  const index = new Map<string, ProcStat[]>();
  for (const entry of entries) {
    const mark = markOf(entry);
    if (mark !== undefined) append(index, mark, entry.stat);
  }
  return index;
};

const append = <K>(index: Map<K, ProcStat[]>, key: K, stat: ProcStat): void => {
  const present = index.get(key);
  if (present === undefined) index.set(key, [stat]);
  else present.push(stat);
};
