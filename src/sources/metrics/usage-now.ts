// Measures the present use of CPU and memory, for commands that have no samples. The package `pidusage` is
// loaded at the first use. It runs `getconf` once and keeps files of measured processes open.
import { setTimeout as pause } from 'node:timers/promises';
import { processIds } from '../../os/proc/process-facts.ts';
import { type ProcStat, statReader } from '../../os/proc/process-stat.ts';

export interface UsageNow {
  /** CPU usage in percent of one core, rounded to a tenth. */
  readonly cpuPercent: number;
  readonly rssBytes: number;
}

/**
 * Time over which CPU usage is measured, ms. The kernel counts in steps of 10 ms, so one step is 4 percent.
 */
const SPAN_MS = 250;
/**
 * Maximum number of processes that are measured. Each needs an open file, and the limit on open files may be
 * 1024.
 */
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

/** Returns the leader, the processes of its session, and all their descendants. */
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

/** Measures CPU and memory of the given processes. Never rejects: processes that have exited are left out. */
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

/**
 * Measures the process tree of each leader over a quarter of a second. Processes that have exited do not
 * count.
 */
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

/**
 * Returns the average CPU usage of a process since its start, and its present memory; `undefined` if it has
 * exited.
 */
export const usageSinceStart = async (pid: number): Promise<UsageNow | undefined> => {
  const { default: pidusage } = await import('pidusage');
  try {
    const { ctime, elapsed, memory } = await pidusage(pid);
    return { cpuPercent: elapsed > 0 ? toTenth((100 * ctime) / elapsed) : 0, rssBytes: memory };
  } catch {
    return undefined;
  }
};
