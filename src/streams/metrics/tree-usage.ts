// What the process trees of services used between two looks. A look counts; only the difference of two of them is a use.
import type { ProcessRef } from '../domain/service/process.ts';
import { ms, type Ms } from '../domain/time.ts';

/** What the kernel has counted for one process so far. */
export interface Counted extends ProcessRef {
  readonly parent: number;
  /** When it began, on the same clock as `Moment.machine`. */
  readonly began: Ms;
  /** Processor time of its own threads. */
  readonly own: Ms;
  /** Processor time of its children that ended and that it has collected, and of theirs. */
  readonly collected: Ms;
  readonly rssBytes: number;
}

/** Start times come in steps of this. */
const TICK = 10;

const total = ({ own, collected }: Counted): number => own + collected;

const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0);

/**
 * Processor time that a tree used since it was looked at `at` (on the machine's clock). Who has ended meanwhile is
 * counted where his parent collected him, less what had been counted of him before; who joined is counted whole, unless
 * he had begun before and was only found late. Never negative.
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

/** Memory of all of them. What several share is counted for each. */
export const rssOf = (tree: readonly Counted[]): number => sum(tree.map(({ rssBytes }) => rssBytes));
