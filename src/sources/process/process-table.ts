// One look at the whole process table, indexed by everything a run's members are found by.
import { uptime } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { processIds } from '../../os/proc/proc.ts';
import type { Marks } from './mark.ts';
import type { ProcStat } from '../../os/proc/stat-line.ts';
import { type Snapshot, type Entry, indexed } from './snapshot.ts';

export interface LookPorts {
  /** As the kernel lists them. */
  readonly pids?: () => readonly number[];
  readonly stat: (pid: number) => ProcStat | undefined;
  readonly marks: Marks;
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
  return [{ stat: found, mark, birthmark: marks.birthmarkOf(found), claim: marks.claimOf(found) }];
};
