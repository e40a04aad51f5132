// Charts and trees of a service's samples, and the words of actions.
import { describe, expect, it } from 'vitest';
import { chartData, chartSummary } from '../../../src/dashboard/page/model/chart-data.ts';
import { changeSummary, outcomeText } from '../../../src/dashboard/page/model/outcome-text.ts';
import { processLines } from '../../../src/dashboard/page/model/process-tree.ts';
import type { ChangeDocument } from '../../../src/streams/wire/documents/command-documents.ts';

const point = (second: number, mean: number | null) => ({
  at: new Date(second * 1_000).toISOString(),
  until: new Date(second * 1_000).toISOString(),
  samples: 1,
  cpu_percent: mean === null ? null : { min: mean, mean, max: mean * 2 },
  rss_bytes: { min: 1, mean: 1, max: 1 },
});

describe('a chart', () => {
  it('has a gap where samples lack', () => {
    const data = chartData(
      [0, 1, 2, 30, 31].map((second) => point(second, second)),
      (one) => one.cpu_percent,
    );
    expect(data.times).toEqual([0, 1, 2, 3, 30, 31]);
    expect(data.means).toEqual([0, 1, 2, null, 30, 31]);
  });

  it('is summed up in words', () => {
    const words = (value: number) => `${value} %`;
    const data = chartData([point(0, 2), point(1, 4), point(2, null)], (one) => one.cpu_percent);
    expect(chartSummary(data, words)).toBe('mean 3 %, at most 8 %');
    expect(
      chartSummary(
        chartData([], () => null),
        words,
      ),
    ).toBe('no samples');
  });
});

describe('the tree of processes', () => {
  it('has each process after its parent', () => {
    const process = (pid: number, ppid: number) => ({
      pid,
      ppid,
      name: null,
      command: null,
      cpu_ms: 0,
      rss_bytes: 0,
    });
    const lines = processLines([process(9, 7), process(5, 1), process(7, 5), process(6, 5)]);
    expect(lines.map(({ process: { pid }, depth }) => [pid, depth])).toEqual([
      [5, 0],
      [7, 1],
      [9, 2],
      [6, 1],
    ]);
  });
});

describe('the words of actions', () => {
  it('an outcome names the service and how long it was down', () => {
    expect(outcomeText({ service: 'shop/api', what: 'restarted', down_ms: 1_234, keys: null })).toBe(
      'shop/api: restarted (down 1.2 s)',
    );
    expect(outcomeText({ service: '__loose__/x', what: 'down-before', down_ms: null, keys: null })).toBe(
      'x: down already',
    );
  });

  const change: ChangeDocument = {
    service: 'shop/api',
    action: 'change',
    strategy: 'immediate',
    down_ms: 2_000,
    rest: null,
    waits_for: null,
    keys: [],
  };

  it.each([
    [{}, 'change, immediate: down for about 2 s'],
    [{ down_ms: null }, 'change, immediate: down for as long as it takes, which is not known yet'],
    [{ rest: 'live' }, 'change: takes effect without a restart'],
    [{ action: 'add', down_ms: null }, 'add: starts'],
    [{ action: 'remove' }, 'remove: stops'],
    [{ waits_for: 'shop/db' }, 'change, immediate: waits for shop/db, which does not run'],
  ] as const)('a planned change %j is %j', (facts, text) => {
    expect(changeSummary({ ...change, ...facts })).toBe(text);
  });
});
