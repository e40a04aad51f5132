// Who belongs to a run, asked of the kernel (port `Census`). One look at the process table answers everybody who was
// waiting when it began, and there is never more than one at a time. A few looks may follow each other at once; more
// of them wait, so that a thousand questions cost at most a third of a core.
import { setTimeout } from 'node:timers/promises';
import { defer, map } from 'rxjs';
import type { Census } from '../../streams/domain/ports.ts';
import { unitMark } from '../../streams/env/service-environment.ts';
import { marks } from './mark.ts';
import { membersIn } from './members.ts';
import { statReader } from '../../os/proc-stat.ts';
import { takeSnapshot, type Snapshot } from './snapshot.ts';

export const procCensus = (ports: { readonly dataDir: string }): Census => {
  const stat = statReader();
  const known = marks(ports.dataDir);
  const self = { pid: process.pid, startTicks: stat(process.pid)?.startTicks ?? 0 };
  const look = batched(() => takeSnapshot({ stat, marks: known }));
  const census: Census = {
    membersOf(service, run, leader) {
      const identity = { leader, mark: unitMark(service, run) };
      return defer(look).pipe(map((snapshot) => membersIn(snapshot, self, identity)));
    },
  };
  return census;
};

/** Nobody gets an answer that was begun before the question. */
const batched = (take: () => Promise<Snapshot>): (() => Promise<Snapshot>) => {
  const pace = paced();
  let running: Promise<unknown> = Promise.resolve();
  let waiting: Promise<Snapshot> | undefined;
  const begin = async (): Promise<Snapshot> => {
    await running.catch(() => undefined);
    await pace.turn();
    waiting = undefined;
    const began = performance.now();
    const taken = take().finally(() => pace.spent(performance.now() - began));
    running = taken;
    return taken;
  };
  return () => (waiting ??= begin());
};

/** The share of a core that looking may take, and the work in milliseconds that is done at once before it applies. */
const SHARE = 1 / 3;
const CREDIT_MS = 10;

interface Pace {
  /** Settles when the next look may begin. */
  turn(): Promise<void>;
  spent(work: number): void;
}

const paced = (): Pace => {
  let paidUntil = 0;
  return {
    turn: async () => {
      const early = paidUntil - CREDIT_MS / SHARE - performance.now();
      if (early > 0) await setTimeout(early);
    },
    spent: (work) => {
      paidUntil = Math.max(paidUntil, performance.now()) + work / SHARE;
    },
  };
};
