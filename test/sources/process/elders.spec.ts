import { describe, expect, it } from 'vitest';
import type { ProcStat } from '../../../src/os/proc/stat-line.ts';
import { elders } from '../../../src/sources/process/elders.ts';

const process = (pid: number, startTicks: number): ProcStat => ({
  ...{ pid, startTicks, zombie: false, parent: 1, group: pid, session: pid },
  environmentAt: '1',
});
const table = (...processes: readonly ProcStat[]): ReadonlyMap<number, ProcStat> =>
  new Map(processes.map((one) => [one.pid, one]));

describe('who is older than whoever is looked for', () => {
  it('is known from the look before, and nobody else is', () => {
    const old = elders(() => 0);
    old.born(100);
    expect(old.begin()(7)).toBeUndefined();
    old.seen(table(process(7, 50), process(8, 100)));
    old.born(100);
    const elderOf = old.begin();
    expect([elderOf(7)?.pid, elderOf(8), elderOf(9)]).toEqual([7, undefined, undefined]);
  });

  it('is measured by the oldest of all who are asked for', () => {
    const old = elders(() => 0);
    old.seen(table(process(7, 50)));
    old.born(100);
    old.born(50);
    expect(old.begin()(7)).toBeUndefined();
    old.born(100);
    expect(old.begin()(7)?.pid).toBe(7);
  });

  it('is not trusted when the last look is long ago: its pid may be somebody else\u2019s', () => {
    let now = 0;
    const old = elders(() => now);
    old.seen(table(process(7, 50)));
    now = 251;
    old.born(100);
    expect(old.begin()(7)).toBeUndefined();
  });

  it('is forgotten once a look did not see it', () => {
    const old = elders(() => 0);
    old.seen(table(process(7, 50)));
    old.seen(table());
    old.born(100);
    expect(old.begin()(7)).toBeUndefined();
  });
});
