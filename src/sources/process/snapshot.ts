// One look at the whole process table, indexed by everything a run's members are found by.
import { readdir } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import type { Marks } from './mark.ts';
import type { ProcStat } from './proc-stat.ts';

export interface Snapshot {
  readonly processes: ReadonlyMap<number, ProcStat>;
  readonly bySession: Index<number>;
  readonly byGroup: Index<number>;
  readonly byParent: Index<number>;
  readonly byMark: Index<string>;
}
export type Index<K> = ReadonlyMap<K, readonly ProcStat[]>;

export interface SnapshotPorts {
  readonly stat: (pid: number) => ProcStat | undefined;
  readonly marks: Marks;
}

/** Processes read in one go, about 2 ms: a large table must not hold up the event loop. */
const SLICE = 200;

export const takeSnapshot = async ({ stat, marks }: SnapshotPorts): Promise<Snapshot> => {
  const draft = emptyDraft();
  const pids = (await readdir('/proc')).filter(isPid);
  for (let at = 0; at < pids.length; at += SLICE) {
    if (at > 0) await setImmediate();
    for (const pid of pids.slice(at, at + SLICE)) {
      const found = stat(Number(pid));
      if (found !== undefined) enter(draft, found, found.zombie ? undefined : marks.markOf(found));
    }
  }
  marks.retain(draft.processes);
  return draft;
};

interface Draft {
  readonly processes: Map<number, ProcStat>;
  readonly bySession: Map<number, ProcStat[]>;
  readonly byGroup: Map<number, ProcStat[]>;
  readonly byParent: Map<number, ProcStat[]>;
  readonly byMark: Map<string, ProcStat[]>;
}

const emptyDraft = (): Draft => ({
  processes: new Map(),
  bySession: new Map(),
  byGroup: new Map(),
  byParent: new Map(),
  byMark: new Map(),
});

const enter = (draft: Draft, stat: ProcStat, mark: string | undefined): void => {
  draft.processes.set(stat.pid, stat);
  append(draft.bySession, stat.session, stat);
  append(draft.byGroup, stat.group, stat);
  append(draft.byParent, stat.parent, stat);
  if (mark !== undefined) append(draft.byMark, mark, stat);
};

const append = <K>(index: Map<K, ProcStat[]>, key: K, stat: ProcStat): void => {
  const entry = index.get(key);
  if (entry === undefined) index.set(key, [stat]);
  else entry.push(stat);
};

const isPid = (name: string): boolean => name.charCodeAt(0) >= 48 && name.charCodeAt(0) <= 57;
