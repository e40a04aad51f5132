// What processes use at this moment, asked when somebody wants to know and nothing was sampled. The package is loaded by
// the first question, and by commands only: it runs `getconf` once, and keeps the files of whom it was asked about open.
import { setTimeout as pause } from 'node:timers/promises';
import { processIds } from '../../os/proc/proc.ts';
import { statReader } from '../../os/proc/proc-stat.ts';
import type { ProcStat } from '../../os/proc/stat-line.ts';

export interface UsageNow {
  /** Of one core, to a tenth. */
  readonly cpuPercent: number;
  readonly rssBytes: number;
}

/** Processor time is counted in steps of 10 ms: after this long one step is 4 percent. */
const SPAN_MS = 250;
/** A file each, and a command may have 1024 open. Trees beyond that are not asked about. */
const MOST_PROCESSES = 256;

const stats = (): readonly ProcStat[] => {
  const read = statReader();
  return processIds().flatMap((pid) => {
    try {
      return read(pid) ?? [];
    } catch {
      return [];
    }
  });
};

/** A process with those of its session, and all descendants of these. */
const treeIn = (all: readonly ProcStat[], leader: number): readonly number[] => {
  const found = new Set(
    all.filter(({ pid, session }) => [pid, session].includes(leader)).map(({ pid }) => pid),
  );
  for (const pid of found) for (const one of all) if (one.parent === pid) found.add(one.pid);
  return [...found];
};

type Tree = readonly [leader: number, members: readonly number[]];

const firstOf = (trees: readonly Tree[]): readonly Tree[] => {
  let room = MOST_PROCESSES;
  return trees.filter(([, members]) => (room -= members.length) >= 0);
};

type Figures = Readonly<Record<string, { readonly cpu: number; readonly memory: number } | undefined>>;

/** Never rejects: who is gone is left out. */
const asked = async (pids: readonly number[]): Promise<Figures> => {
  const { default: pidusage } = await import('pidusage');
  return pidusage([...pids]).catch(() => ({}));
};

const toTenth = (percent: number): number => Math.round(percent * 10) / 10;

const sumOf = (pids: readonly number[], figures: Figures): UsageNow | undefined => {
  const known = pids.flatMap((pid) => figures[pid] ?? []);
  if (known.length === 0) return undefined;
  const sum = (one: 'cpu' | 'memory'): number => known.reduce((all, figure) => all + figure[one], 0);
  return { cpuPercent: toTenth(sum('cpu')), rssBytes: sum('memory') };
};

/** The usage of the whole tree of each of these processes, over a quarter of a second; none of those that are gone. */
export const usageOfTrees = async (leaders: readonly number[]): Promise<ReadonlyMap<number, UsageNow>> => {
  const all = stats();
  const trees = firstOf(leaders.map((leader) => [leader, treeIn(all, leader)]));
  const pids = trees.flatMap(([, members]) => members);
  if (pids.length === 0) return new Map();
  await asked(pids);
  await pause(SPAN_MS);
  const figures = await asked(pids);
  return new Map(
    trees.flatMap(([leader, members]) => {
      const usage = sumOf(members, figures);
      return usage === undefined ? [] : [[leader, usage] as const];
    }),
  );
};

/** Of one process, its processor time since it began; `undefined`: it is gone. */
export const usageSinceStart = async (pid: number): Promise<UsageNow | undefined> => {
  const { default: pidusage } = await import('pidusage');
  try {
    const { ctime, elapsed, memory } = await pidusage(pid);
    return { cpuPercent: elapsed > 0 ? toTenth((100 * ctime) / elapsed) : 0, rssBytes: memory };
  } catch {
    return undefined;
  }
};
