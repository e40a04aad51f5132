import { describe, expect, it } from 'vitest';
import { chartLines } from '../../../../src/cli/render/page/chart.ts';
import { paintOf } from '../../../../src/streams/views/words/paint.ts';
import type { SamplesDocument } from '../../../../src/streams/wire/documents/documents.ts';

const paint = paintOf(false);
const at = (second: number): string => new Date(second * 1_000).toISOString();
const samples = (...percents: readonly (number | null)[]): SamplesDocument => ({
  since: at(0),
  until: at(percents.length),
  points: percents.flatMap((cpu, second) =>
    cpu === null
      ? []
      : [
          {
            at: at(second),
            until: at(second),
            samples: 1,
            cpu_percent: { min: cpu, mean: cpu, max: cpu },
            rss_bytes: { min: 1024, mean: 1024, max: 1024 },
          },
        ],
  ),
});

describe('charts', () => {
  it('a chart shows the line, its extremes and its time', () => {
    const lines = chartLines(samples(0, 0, 0, 0, 0, 100, 100, 100, 100, 100), { paint, columns: 28 });
    expect(lines).toEqual([
      '  cpu 0.0 % to 100.0 %, now 100.0 %',
      '       100.0 % ┼    ╭────',
      '        83.3 % ┤    │',
      '        66.7 % ┤    │',
      '        50.0 % ┤    │',
      '        33.3 % ┤    │',
      '        16.7 % ┤    │',
      '         0.0 % ┼────╯',
      '  memory 1.0 KiB to 1.0 KiB, now 1.0 KiB',
      ...lines.slice(9, 16),
      '    1970-01-01T00:00:00.000Z to 1970-01-01T00:00:10.000Z',
    ]);
    expect(lines).toHaveLength(17);
  });

  it('a chart fits a narrow and a wide terminal, with more and with fewer points than columns', () => {
    for (const columns of [40, 60, 80, 200])
      for (const count of [1, 7, 240]) {
        const lines = chartLines(samples(...Array.from({ length: count }, (_, each) => each)), {
          paint,
          columns,
        });
        expect(lines.filter((line) => line.length > Math.max(columns, 56))).toEqual([]);
      }
  });

  it('a chart has a gap where nothing was sampled, and says so if nothing was', () => {
    const [title, top, ...rest] = chartLines(samples(8, 8, null, null, null, null, 4, 8, null, null), {
      paint,
      columns: 28,
    });
    expect(title).toBe('  cpu 4.0 % to 8.0 %, last 8.0 %');
    expect([top, ...rest.slice(0, 6)]).toEqual([
      '         8.0 % ┼───   ╭──',
      '         6.7 % ┤      │',
      '         5.3 % ┤      │',
      '         4.0 % ┤      ╯',
      '         2.7 % ┤',
      '         1.3 % ┤',
      '         0.0 % ┤',
    ]);
    expect(chartLines(samples(null), { paint, columns: 80 }).join('\n')).toContain('nothing was sampled');
  });
});
