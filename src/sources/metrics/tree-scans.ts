// Samples the process trees of all runs: CPU time and memory, read directly from the kernel. The package
// `pidusage` (`usage-now.ts`) takes several times as long (D-064).
import { uptime } from 'node:os';
import { fileLimitOf } from '../../os/children/file-limit.ts';
import { type Counters, countersReader, keptWithin } from '../../os/proc/counters.ts';
import { machineUnits } from '../../os/proc/machine-facts.ts';
import { type ProcStat, statReader } from '../../os/proc/process-stat.ts';
import { latestPidReader } from '../../os/proc/allocated-pids.ts';
import { processIds, userIdsOf } from '../../os/proc/process-facts.ts';
import type { ServiceId } from '../../streams/domain/ids.ts';
import type { ProcessRef } from '../../streams/domain/service/process.ts';
import { ms } from '../../streams/domain/time.ts';
import type { SampledRun } from '../../streams/metrics/sampled-runs.ts';
import type { Counted, ProcessTree, TreeScan } from '../../streams/metrics/sample.ts';
import { marks, type Marks } from '../process/read-tags.ts';
import { rlimitTagFor } from '../../os/children/rlimit-tag.ts';
import { machineUptime, wallClock } from '../clocks.ts';
import { membership } from './membership.ts';

export type TakeScan = (runs: readonly SampledRun[]) => TreeScan;

const counting = (): ((counters: Counters) => Counted) => {
  const { tickMs, pageBytes } = machineUnits();
  return ({ pid, startTicks, parent, ownTicks, collectedTicks, rssPages }) => ({
    pid,
    startTicks,
    parent,
    began: ms(startTicks * tickMs),
    own: ms(ownTicks * tickMs),
    collected: ms(collectedTicks * tickMs),
    rssBytes: rssPages * pageBytes,
  });
};

/**
 * Returns the leader (first process) of each service's own run. This is the first run of the service in
 * `runs`.
 */
const leadersOf = (runs: readonly SampledRun[]): ReadonlyMap<ServiceId, ProcessRef> =>
  new Map(runs.toReversed().map(({ service, leader }) => [service, leader]));

type ReadStat = (pid: number) => ProcStat | undefined;

const statOrUndefined = (): ReadStat => {
  const read = statReader();
  return (pid) => {
    try {
      return read(pid);
    } catch {
      return undefined;
    }
  };
};

/** Returns this process and all its ancestors. */
const ancestry = (stat: ReadStat): ReadonlySet<number> => {
  const found = new Set([process.pid]);
  for (let pid = stat(process.pid)?.parent ?? 0; pid > 0 && !found.has(pid); pid = stat(pid)?.parent ?? 0)
    found.add(pid);
  return found;
};

/**
 * True if both processes have the same real user. A tag of a process that has another user than its run
 * proves nothing.
 */
const hasUserOf = (leader: number, pid: number): boolean => {
  const uid = userIdsOf(leader)?.real;
  return uid !== undefined && userIdsOf(pid)?.real === uid;
};

/**
 * Returns a function that finds the run to which a process belongs by its rlimit tag, and returns the run tag
 * of this run; `undefined` if there is none, or if the process has another user than the run.
 */
const bornIntoOneOf = (
  known: Marks,
  dataDir: string,
  sampled: () => readonly SampledRun[],
): ((found: ProcStat) => string | undefined) => {
  let runs: readonly SampledRun[] = [];
  let byTag: ReadonlyMap<string, SampledRun> = new Map();
  return (found) => {
    const rlimitTag = known.rlimitTagOf(found);
    // The tags of all runs are computed only if a process has a tag, because most processes outside of runs
    // have none.
    if (rlimitTag === undefined) return undefined;
    if (runs !== sampled()) {
      runs = sampled();
      byTag = new Map(runs.map((run) => [rlimitTagFor(dataDir, run.mark), run]));
    }
    const run = byTag.get(rlimitTag);
    return run !== undefined && hasUserOf(run.leader.pid, found.pid) ? run.mark : undefined;
  };
};

interface ScanPorts {
  readonly dataDir: string;
  /** How many `/proc` files stay open between scans. By default this follows from the limit on open files. */
  readonly kept?: number;
}

/** Returns a function that samples runs. It never throws: a process that cannot be read is not counted. */
export const treeScans = (ports: ScanPorts): TakeScan => {
  const counted = counting();
  const { read, retain } = countersReader(ports.kept ?? keptWithin(fileLimitOf(process.pid)?.soft));
  const stat = statOrUndefined();
  const known = marks(ports.dataDir);
  let sampled: readonly SampledRun[] = [];
  const bornInto = bornIntoOneOf(known, ports.dataDir, () => sampled);
  const members = membership({
    pids: processIds,
    newest: latestPidReader(),
    stat,
    foster: () => ancestry(stat),
    marks: {
      markOf: (found) => known.markOf(found) ?? bornInto(found),
      retain: (alive) => known.retain(alive),
    },
    self: process.pid,
  });
  return (runs) => {
    const times = { at: wallClock.now(), steady: machineUptime(), machine: ms(uptime() * 1_000) };
    const trees = new Map<ServiceId, ProcessTree & { members: Counted[] }>();
    const leaders = leadersOf(runs);
    sampled = runs;
    const scanned = members.scan(runs);
    for (const [pid, { startTicks, run }] of scanned) {
      const counters = read(pid);
      if (counters?.startTicks !== startTicks) {
        members.leave(pid);
        continue;
      }
      const tree = trees.get(run.service) ?? { leader: leaders.get(run.service) ?? run.leader, members: [] };
      trees.set(run.service, tree);
      tree.members.push(counted(counters));
    }
    retain(scanned);
    return { ...times, trees };
  };
};
