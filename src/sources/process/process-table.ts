// One look at the whole process table, indexed by everything a run's members are found by.
import { uptime } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { processIds } from '../../os/proc/proc.ts';
import type { Marks } from './mark.ts';
import type { ProcStat } from '../../os/proc/proc-stat.ts';

export interface Snapshot {
  readonly processes: ReadonlyMap<number, ProcStat>;
  readonly bySession: Index<number>;
  readonly byGroup: Index<number>;
  readonly byParent: Index<number>;
  readonly byMark: Index<string>;
  /** Who has no other mark than the one it was born with. */
  readonly byBirthmark: Index<string>;
  /** Somebody may have been overlooked. */
  readonly undecided: boolean;
}
export type Index<K> = ReadonlyMap<K, readonly ProcStat[]>;

export interface LookPorts {
  /** As the kernel lists them. */
  readonly pids?: () => readonly number[];
  readonly stat: (pid: number) => ProcStat | undefined;
  readonly marks: Marks;
}

/** Somebody who was looked at. */
export interface Entry {
  readonly stat: ProcStat;
  readonly mark: string | undefined;
  readonly birthmark?: string | undefined;
}

/** All who were found, and whether somebody may have been overlooked. */
export interface Look {
  readonly entries: readonly Entry[];
  readonly unsure: boolean;
}

/** Processes read in one go, about 2 ms: a large table must not hold up the event loop. */
const SLICE = 200;
/** Times that those who were born meanwhile are looked for in one look. */
const ROUNDS = 4;

/** The whole table, as the kernel lists it. */
export const takeSnapshot = async (ports: LookPorts): Promise<Snapshot> => {
  // Not by way of the thread pool: two hops between threads take longer than the listing. One turn of the loop, so that
  // whoever asks in this one shares the look.
  await setImmediate();
  const look = await listed(ports);
  const snapshot = indexed(look.entries, isUndecided(ports.marks, look));
  ports.marks.retain(snapshot.processes);
  return snapshot;
};

/** Everybody whom the kernel lists, but those who need not be looked at (`isKnown`). */
export const listed = async (
  ports: LookPorts,
  isKnown: (pid: number) => boolean = () => false,
): Promise<Look> => {
  const entries: Entry[] = [];
  const seen = new Set<number>();
  const { pids = processIds } = ports;
  let missed = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const fresh = pids().filter((pid) => !seen.has(pid) && !isKnown(pid));
    if (fresh.length === 0) break;
    fresh.forEach((pid) => seen.add(pid));
    const found = await entriesOf(ports, fresh);
    entries.push(...found);
    // Who came since and has ended already may have left somebody behind, too.
    const ended = round === 0 ? 0 : found.filter(({ stat }) => stat.zombie).length;
    // Somebody ended between the listing and the look, who may have left a child behind that was not listed.
    missed = fresh.length - found.length + ended;
  }
  return { entries, unsure: missed > 0 };
};

/** Younger than this, in ticks, a process may be in the middle of `exec`, where nobody sees whose it is. */
const YOUNG_TICKS = 5;
const TICKS_PER_SECOND = 100;

/** Nobody found is not nobody there. */
export const isUndecided = (marks: Marks, { entries, unsure }: Look): boolean => {
  if (unsure) return true;
  const untold = entries.filter(({ stat }) => !stat.zombie && !marks.isTold(stat));
  if (untold.length === 0) return false;
  const young = uptime() * TICKS_PER_SECOND - YOUNG_TICKS;
  return untold.some(({ stat }) => stat.startTicks > young);
};

/** Those of them who are there. A thread is nobody. */
export const entriesOf = async (ports: LookPorts, pids: readonly number[]): Promise<readonly Entry[]> => {
  const entries: Entry[] = [];
  for (let at = 0; at < pids.length; at += SLICE) {
    if (at > 0) await setImmediate();
    for (const pid of pids.slice(at, at + SLICE)) entries.push(...entryOf(ports, pid));
  }
  return entries;
};

const entryOf = ({ stat, marks }: LookPorts, pid: number): readonly Entry[] => {
  const found = stat(pid);
  if (found === undefined || found.isThread === true) return [];
  if (found.zombie) return [{ stat: found, mark: undefined }];
  const mark = marks.markOf(found);
  return [{ stat: found, mark, birthmark: mark === undefined ? marks.birthmarkOf(found) : undefined }];
};

/** `processes`: all there are, where the entries are only some of them. */
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
