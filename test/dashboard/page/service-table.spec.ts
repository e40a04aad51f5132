// The table of services: its lines, its filter, and which lines are drawn.
import { describe, expect, it } from 'vitest';
import { found } from '../../../src/dashboard/page/model/fuzzy-filter.ts';
import { fragmentOf, routeOf } from '../../../src/dashboard/page/model/page-route.ts';
import { tableLines } from '../../../src/dashboard/page/model/service-lines.ts';
import { sparklinePath } from '../../../src/dashboard/page/model/sparkline-path.ts';
import { visibleRange } from '../../../src/dashboard/page/model/visible-range.ts';
import { rowOf } from './rows.ts';

const ROWS = ['shop/worker@2', 'shop/api', 'shop/worker@10', 'blog/php'].map((id) => rowOf(id));

describe('the lines of the table', () => {
  it('projects come with their services, and replicas are one line', () => {
    expect(tableLines(ROWS, new Set()).map(({ key }) => key)).toEqual([
      'blog/',
      'blog/php',
      'shop/',
      'shop/api',
      'shop/worker',
    ]);
  });

  it('an opened group lists its instances by number', () => {
    const lines = tableLines(ROWS, new Set(['shop/worker']));
    expect(lines.slice(-3).map(({ key }) => key)).toEqual(['shop/worker', 'shop/worker@2', 'shop/worker@10']);
  });

  it('a group has the worst state of its instances', () => {
    const rows = [rowOf('a/w@1'), rowOf('a/w@2', { state: 'failed', health: 'unknown' })];
    expect(tableLines(rows, new Set())[1]).toMatchObject({
      group: { state: 'failed', ready: 1, replicas: 2 },
    });
  });
});

describe('the filter', () => {
  const api = rowOf('shop/api', { state: 'backoff', health: 'unknown', reason: 'exit status 3' });

  it.each(['', 'api', 'shp api', 'SHOP', 'backoff', 'exit', 'sapi back'])(
    '%j finds shop/api in backoff',
    (text) => {
      expect(found(text, [api])).toEqual([api]);
    },
  );

  it.each(['web', 'running', 'api running', 'ipa'])('%j does not find shop/api in backoff', (text) => {
    expect(found(text, [api])).toEqual([]);
  });
});

it('a filter finds letters in their order only if no service has the word itself', () => {
  const rows = [rowOf('p00/service-3'), rowOf('p03/db')];
  expect(found('p03', rows).map(({ id }) => id)).toEqual(['p03/db']);
  expect(found('psv', rows).map(({ id }) => id)).toEqual(['p00/service-3']);
});

describe('what is drawn', () => {
  it('only the rows in sight and a few beside them', () => {
    expect(visibleRange(500, { top: 3_600, height: 720, rowHeight: 36 })).toEqual({ first: 92, end: 128 });
    expect(visibleRange(3, { top: 0, height: 720, rowHeight: 36 })).toEqual({ first: 0, end: 3 });
  });

  it('a list that has become shorter than its scroll position shows no row twice', () => {
    expect(visibleRange(5, { top: 9_000, height: 720, rowHeight: 36 })).toEqual({ first: 5, end: 5 });
  });

  it('a sparkline ends at the right and has a gap where nothing is known', () => {
    const path = sparklinePath([1, null, 2, 4], { width: 119, height: 20 });
    expect(path).toBe('M116.0 14.5M118.0 10.0L119.0 1.0');
  });
});

describe('the address of a view', () => {
  it.each([
    ['#/', undefined, 'account'],
    ['', undefined, 'account'],
    ['#/shop/worker%402/logs', 'shop/worker@2', 'logs'],
    ['#/shop/api/nonsense', 'shop/api', 'account'],
    ['#/%E0%A4%A/x', '%E0%A4%A/x', 'account'],
  ])('%j', (fragment, service, tab) => {
    expect(routeOf(fragment)).toEqual({ service, tab });
  });

  it('leads back to the same view', () => {
    expect(routeOf(fragmentOf('shop/worker@2', 'charts'))).toEqual({
      service: 'shop/worker@2',
      tab: 'charts',
    });
  });
});
