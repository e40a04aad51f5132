// One look at the whole process table, indexed by everything a run's members are found by.
import { uptime } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { processIds } from '../../os/proc/proc.ts';
import type { Marks } from './mark.ts';
import type { ProcStat } from '../../os/proc/stat-line.ts';
import { type Snapshot, type Entry, indexed } from './snapshot.ts';

interface SnapshotPorts {
  readonly stat: (pid: number) => ProcStat | undefined;
  readonly marks: Marks;
  /** What was seen before of a process that is older than whoever is looked for: nobody means it. */
  readonly elderOf?: (pid: number) => ProcStat | undefined;
}

/** Processes read in one go, about 2 ms: a large table must not hold up the event loop. */
const SLICE = 200;
/** Times that those who were born meanwhile are looked for in one look. */
const ROUNDS = 4;

export const takeSnapshot = async (ports: SnapshotPorts): Promise<Snapshot> => {
  const entries: Entry[] = [];
  const seen = new Set<number>();
  let missed = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    // Not by way of the thread pool: two hops between threads take longer than the listing. One turn of the loop, so that
    // whoever asks in this one shares the look. Later rounds are for those few who came since, and lose no time.
    if (round === 0) await setImmediate();
    const fresh = processIds().filter((pid) => !seen.has(pid));
    if (fresh.length === 0) break;
    fresh.forEach((pid) => seen.add(pid));
    const found = await read(ports, fresh);
    entries.push(...found);
    // Who came since and has ended already may have left somebody behind, too.
    const ended = round === 0 ? 0 : found.filter(({ stat }) => stat.zombie).length;
    missed = fresh.length - found.length + ended;
  }
  const unsure = missed > 0 || someInTheMaking(ports.marks, entries);
  const snapshot = indexed(entries, unsure);
  ports.marks.retain(snapshot.processes);
  return snapshot;
};

/** Younger than this, in ticks, a process may be in the middle of `exec`, where nobody sees whose it is. */
const YOUNG_TICKS = 5;
const TICKS_PER_SECOND = 100;

const someInTheMaking = (marks: Marks, entries: readonly Entry[]): boolean => {
  const untold = entries.filter(({ stat }) => !stat.zombie && !marks.isTold(stat));
  if (untold.length === 0) return false;
  const young = uptime() * TICKS_PER_SECOND - YOUNG_TICKS;
  return untold.some(({ stat }) => stat.startTicks > young);
};

const read = async (ports: SnapshotPorts, pids: readonly number[]): Promise<readonly Entry[]> => {
  const entries: Entry[] = [];
  for (let at = 0; at < pids.length; at += SLICE) {
    if (at > 0) await setImmediate();
    for (const pid of pids.slice(at, at + SLICE)) entries.push(...entryOf(ports, pid));
  }
  return entries;
};

/** Nothing of somebody who is gone. */
const entryOf = ({ stat, marks, elderOf }: SnapshotPorts, pid: number): readonly Entry[] => {
  const elder = elderOf?.(pid);
  if (elder !== undefined) return [{ stat: elder, mark: undefined }];
  const found = stat(pid);
  if (found === undefined) return [];
  if (found.zombie) return [{ stat: found, mark: undefined }];
  const mark = marks.markOf(found);
  return [{ stat: found, mark, birthmark: mark === undefined ? marks.birthmarkOf(found) : undefined }];
};
