// Makes samples from process scans. The CPU use is the difference between the counters of two successive
// scans.
import { map, type Observable, scan } from 'rxjs';
import type { ServiceId } from '../domain/ids.ts';
import type { ProcessRef } from '../domain/service/process.ts';
import { instant, type Instant, ms, type Ms } from '../domain/time.ts';

/** The counters of the operating system for one process. */
export interface Counted extends ProcessRef {
  readonly parent: number;
  /** The time when the process started, on the same clock as `TreeScan.machine`. */
  readonly began: Ms;
  /** The CPU time of the threads of the process. */
  readonly own: Ms;
  /** The CPU time of the children that the process has reaped, with their descendants. */
  readonly collected: Ms;
  readonly rssBytes: number;
}

/** The resolution of process start times in `/proc`, ms. */
const TICK = 10;

const total = ({ own, collected }: Counted): number => own + collected;

const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0);

/**
 * Returns the CPU time that a process tree has used since the scan at `at`. The CPU time of a process that
 * has ended is in the counter of the parent which reaped it.
 */
export const cpuBetween = (before: readonly Counted[], at: Ms, now: readonly Counted[]): Ms => {
  const known = new Map(before.map((one) => [one.pid, one]));
  let [used, collected] = [0, 0];
  for (const one of now) {
    const was = known.get(one.pid);
    if (was?.startTicks === one.startTicks) {
      used += Math.max(0, one.own - was.own);
      collected += Math.max(0, one.collected - was.collected);
      known.delete(one.pid);
    } else if (one.began >= at - TICK) used += total(one);
  }
  const counted = sum([...known.values()].map(total));
  return ms(used + Math.max(0, collected - counted));
};

/** Returns the memory of a process tree in bytes. Shared memory is counted once for each process. */
export const rssOf = (tree: readonly Counted[]): number => sum(tree.map(({ rssBytes }) => rssBytes));

export interface ProcessTree {
  /** The main process of the current run, or of the second run if the current run has ended. */
  readonly leader: ProcessRef;
  readonly members: readonly Counted[];
}

/**
 * A scan of all process trees. Its time is read from three clocks: the wall clock (`at`), a monotonic clock
 * (`steady`), and the clock of process start times (`machine`).
 */
export interface TreeScan {
  readonly at: Instant;
  readonly steady: Ms;
  readonly machine: Ms;
  readonly trees: ReadonlyMap<ServiceId, ProcessTree>;
}

export interface Sample {
  readonly service: ServiceId;
  readonly leader: ProcessRef;
  /** CPU use in percent of one core: 250 is two and a half cores. Absent in the first sample. */
  readonly cpuPercent?: number;
  readonly rssBytes: number;
  readonly members: readonly Counted[];
}

/** The samples of all services from one scan. */
export interface Beat {
  readonly at: Instant;
  readonly samples: readonly Sample[];
}

const percent = (used: Ms, since: Ms): number => (since > 0 ? (100 * used) / since : 0);

const sampleOf = (
  [service, tree]: readonly [ServiceId, ProcessTree],
  now: TreeScan,
  before: TreeScan | undefined,
): Sample => {
  const { leader, members } = tree;
  const known = { service, leader, members, rssBytes: rssOf(members) };
  if (before === undefined) return known;
  const used = cpuBetween(before.trees.get(service)?.members ?? [], before.machine, members);
  return { ...known, cpuPercent: percent(used, ms(now.steady - before.steady)) };
};

interface Counting {
  readonly lastScan?: TreeScan;
  readonly beat: Beat;
}

const beatOf = (now: TreeScan, before: TreeScan | undefined): Beat => ({
  at: now.at,
  samples: [...now.trees].map((entry) => sampleOf(entry, now, before)),
});

const START: Counting = { beat: { at: instant(0), samples: [] } };

/** Emits the samples of each scan, synchronously when the scan is emitted. */
export function beatsOf(scan$: Observable<TreeScan>): Observable<Beat> {
  return scan$.pipe(
    scan((last, now): Counting => ({ lastScan: now, beat: beatOf(now, last.lastScan) }), START),
    map(({ beat }) => beat),
  );
}
