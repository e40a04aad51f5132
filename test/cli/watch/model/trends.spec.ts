import { describe, expect, it } from 'vitest';
import { later, sparkline, type Trends } from '../../../../src/cli/watch/model/trends.ts';
import { serviceOf } from '../../support/documents.ts';

describe('trends', () => {
  it('trends grow each second up to four minutes, and end with their service', () => {
    const at = (cpu: number | null) => new Map([['shop/web', serviceOf({ cpu_percent: cpu, rss_bytes: 7 })]]);
    let trends: Trends = new Map();
    for (let second = 0; second < 300; second += 1)
      trends = later(trends, at(second === 299 ? null : second));
    const { cpu = [], memory = [] } = trends.get('shop/web') ?? {};
    expect([cpu.length, cpu[0], cpu.at(-2), cpu.at(-1), memory.at(-1)]).toEqual([240, 60, 298, undefined, 7]);
    expect(later(trends, new Map()).size).toBe(0);
  });

  it.each([
    [[0, 50, 100], 3, '▁▅█'],
    [[0, 50, 100], 5, '  ▁▅█'],
    [[9, 0, 50, 100], 3, '▁▅█'],
    [[undefined, 100], 2, ' █'],
    [[0.1, 0.1], 2, '▁▁'],
    [[], 3, '   '],
  ])('trends of %j are drawn in %d columns as %j', (amounts, width, drawn) => {
    expect(sparkline(amounts, width, 1)).toBe(drawn);
  });
});
