// Reads the whole process table once, and indexes it by everything that identifies the members of a run.
import { uptime } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { grouped } from '../../streams/domain/grouped.ts';
import { processIds } from '../../os/proc/process-facts.ts';
import type { ProcStat } from '../../os/proc/process-stat.ts';
import type { Marks } from './read-tags.ts';

export interface ProcessSnapshot {
  readonly processes: ReadonlyMap<number, ProcStat>;
  readonly bySession: Index<number>;
  readonly byGroup: Index<number>;
  readonly byParent: Index<number>;
  readonly byMark: Index<string>;
  readonly byRlimitTag: Index<string>;
  /** By the pid of a process: the data directory of another supervisor, if its environment names one. */
  readonly claims: ReadonlyMap<number, string>;
  /**
   * True if a process may be missing in the snapshot. The snapshot then cannot prove that a run has no
   * process.
   */
  readonly undecided: boolean;
}

export type Index<K> = ReadonlyMap<K, readonly ProcStat[]>;

/** A process that was read, with its run tag (`mark`) and rlimit tag (`rlimitTag`). */
export interface ScannedProcess {
  readonly stat: ProcStat;
  readonly mark: string | undefined;
  readonly rlimitTag?: string | undefined;
  /** The data directory of another supervisor that the environment names; absent if it names none. */
  readonly claim?: string | undefined;
}

/**
 * Builds a snapshot. `entries`: the processes whose run tags were read. `processes`: every process that
 * exists; given only if the tags of some were not read. `undecided`: see the field of `ProcessSnapshot`.
 */
export const indexed = (
  entries: readonly ScannedProcess[],
  undecided = false,
  processes?: ProcessSnapshot['processes'],
): ProcessSnapshot => {
  const stats = entries.map(({ stat }) => stat);
  return {
    processes: processes ?? new Map(stats.map((stat) => [stat.pid, stat])),
    bySession: grouped(stats, ({ session }) => session),
    byGroup: grouped(stats, ({ group }) => group),
    byParent: grouped(stats, ({ parent }) => parent),
    byMark: markedBy(entries, ({ mark }) => mark),
    byRlimitTag: markedBy(entries, ({ rlimitTag }) => rlimitTag),
    claims: new Map(entries.flatMap(({ stat, claim }) => (claim === undefined ? [] : [[stat.pid, claim]]))),
    undecided,
  };
};

const markedBy = (
  entries: readonly ScannedProcess[],
  markOf: (entry: ScannedProcess) => string | undefined,
): Index<string> => {
  const index = new Map<string, ProcStat[]>();
  for (const entry of entries) {
    const mark = markOf(entry);
    if (mark === undefined) continue;
    const present = index.get(mark);
    if (present === undefined) index.set(mark, [entry.stat]);
    else present.push(entry.stat);
  }
  return index;
};

export interface ScanPorts {
  /** Returns the pids of all processes, as the kernel lists them. */
  readonly pids?: () => readonly number[];
  readonly stat: (pid: number) => ProcStat | undefined;
  readonly marks: Marks;
}

/** The processes that were read, and whether one may have been missed. */
export interface TableScan {
  readonly entries: readonly ScannedProcess[];
  readonly unsure: boolean;
}

/**
 * The number of processes that are read in one turn of the event loop. Reading them takes about 2 ms, so a
 * large table does not block the event loop.
 */
const SLICE = 200;
/** Maximum number of times that one scan searches for processes that started during the scan. */
const ROUNDS = 4;

/** Reads the whole process table, as the kernel lists it. */
export const takeSnapshot = async (ports: ScanPorts): Promise<ProcessSnapshot> => {
  // The table is read synchronously in the next turn of the event loop. This takes less time than two
  // switches to the thread pool.
  await setImmediate();
  const scan = await listed(ports);
  const snapshot = indexed(scan.entries, isUndecided(ports.marks, scan));
  ports.marks.retain(snapshot.processes);
  return snapshot;
};

/** Returns all processes that the kernel lists, except those for which `isKnown` is true. */
export const listed = async (
  ports: ScanPorts,
  isKnown: (pid: number) => boolean = () => false,
): Promise<TableScan> => {
  const entries: ScannedProcess[] = [];
  const seen = new Set<number>();
  const { pids = processIds } = ports;
  let missed = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const fresh = pids().filter((pid) => !seen.has(pid) && !isKnown(pid));
    if (fresh.length === 0) break;
    fresh.forEach((pid) => seen.add(pid));
    const found = await entriesOf(ports, fresh);
    entries.push(...found);
    // A new process that is already a zombie may also have left a child that was not listed.
    const ended = round === 0 ? 0 : found.filter(({ stat }) => stat.zombie).length;
    // A process that ended before it was read may have left a child that was not listed.
    missed = fresh.length - found.length + ended;
  }
  return { entries, unsure: missed > 0 };
};

/** The age in ticks up to which a process may be in `exec`, where its run tag cannot be read. */
const YOUNG_TICKS = 5;
const TICKS_PER_SECOND = 100;

/** True if a process may have been missed, or if it is not known yet to which run a process belongs. */
export const isUndecided = (marks: Marks, { entries, unsure }: TableScan): boolean => {
  if (unsure) return true;
  const untold = entries.filter(({ stat }) => !stat.zombie && !marks.isTold(stat));
  if (untold.length === 0) return false;
  const young = uptime() * TICKS_PER_SECOND - YOUNG_TICKS;
  return untold.some(({ stat }) => stat.startTicks > young);
};

/** Reads the given pids and returns those that are processes. Leaves out threads and unused pids. */
export const entriesOf = async (
  ports: ScanPorts,
  pids: readonly number[],
): Promise<readonly ScannedProcess[]> => {
  const entries: ScannedProcess[] = [];
  for (let at = 0; at < pids.length; at += SLICE) {
    if (at > 0) await setImmediate();
    for (const pid of pids.slice(at, at + SLICE)) entries.push(...entryOf(ports, pid));
  }
  return entries;
};

const entryOf = ({ stat, marks }: ScanPorts, pid: number): readonly ScannedProcess[] => {
  const found = stat(pid);
  if (found === undefined || found.isThread === true) return [];
  if (found.zombie) return [{ stat: found, mark: undefined }];
  const mark = marks.markOf(found);
  return [{ stat: found, mark, rlimitTag: marks.rlimitTagOf(found), claim: marks.claimOf(found) }];
};
