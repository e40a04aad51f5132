// The usage of process trees between two scans. A scan reads counters; only the difference of two scans is
// usage.
import type { ProcessRef } from '../domain/service/process.ts';
import { ms, type Ms } from '../domain/time.ts';

/** The kernel's counters for one process. */
export interface Counted extends ProcessRef {
  readonly parent: number;
  /** When it started, on the clock of `Look.machine`. */
  readonly began: Ms;
  /** Processor time of its own threads. */
  readonly own: Ms;
  /** Processor time of the children it has reaped, and of theirs. */
  readonly collected: Ms;
  readonly rssBytes: number;
}

/** The resolution of start times, ms. */
const TICK = 10;

const total = ({ own, collected }: Counted): number => own + collected;

const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0);

/**
 * Returns the processor time of a tree since the scan `at` (on the machine's clock), never negative. An ended
 * process is counted through the parent that reaped it, minus its earlier count. A new process is counted
 * whole, unless it started before `at` and was only found late.
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

/** Returns the memory of the whole tree. Shared memory is counted for each process. */
export const rssOf = (tree: readonly Counted[]): number => sum(tree.map(({ rssBytes }) => rssBytes));
