import { describe, expect, it } from 'vitest';
import { countersIn, countersReader } from '../../../src/os/proc/proc-counters.ts';
import { statReader } from '../../../src/os/proc/proc-stat.ts';

const line = (name: string): Buffer =>
  Buffer.from(
    `9 (${name}) S 4 5 6 0 -1 8 9 10 11 12 100 20 3000 400 20 0 1 0 4711 1000 77 18446744073709551615\n`,
  );

describe('the counters of a process', () => {
  it('are read past any name', () => {
    for (const name of ['a', 'a b', '1 2 3) S 4 (', ''])
      expect(countersIn(9, line(name))).toEqual({
        pid: 9,
        parent: 4,
        ownTicks: 120,
        collectedTicks: 3_400,
        startTicks: 4_711,
        rssPages: 77,
      });
  });

  it('of this one agree with the other reading of the same line', () => {
    const read = countersReader();
    const [counters, stat] = [read(process.pid), statReader()(process.pid)];
    expect(counters).toMatchObject({ parent: stat?.parent, startTicks: stat?.startTicks });
    expect(counters?.rssPages).toBeGreaterThan(1_000);
    expect(counters?.ownTicks).toBeGreaterThan(0);
  });

  it('of nobody are undefined', () => {
    expect(countersReader()(2 ** 30)).toBeUndefined();
  });
});
