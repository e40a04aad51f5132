import { describe, expect, it } from 'vitest';
import { applyView, NOTHING } from '../../../../src/client/live-model.ts';
import { nextSort, type RowFacts, rowsOf, serviceCount } from '../../../../src/cli/watch/model/rows.ts';
import { projectOf, serviceOf } from '../../support/documents.ts';

const SERVICES = [
  serviceOf({ name: 'db', cpu_percent: 3, restarts_total: 1, started_at: '2026-11-21T11:00:00.000Z' }),
  serviceOf({ name: 'web@1', cpu_percent: 4 }),
  serviceOf({ name: 'web@2', cpu_percent: 5 }),
  serviceOf({ name: 'api', state: 'failed', pid: null, cpu_percent: null }),
  serviceOf({ name: 'weblog', cpu_percent: 20, rss_bytes: 7 }),
];

const rows = (facts: Partial<RowFacts> = {}, services = SERVICES): readonly string[] =>
  rowsOf({
    model: applyView(NOTHING, { full: true, projects: [projectOf(services)], gone: [] }),
    ...{ filter: '', sort: undefined, unfolded: false, opened: new Map() },
    ...facts,
  }).map(({ id }) => id.replace('shop/', ''));

describe('the rows of the live view', () => {
  it('rows are as declared with services in trouble first, and instances in one row', () => {
    expect(rows()).toEqual(['api', 'db', 'web', 'weblog']);
    expect(rows({ unfolded: true })).toEqual(['api', 'db', 'web', 'web@1', 'web@2', 'weblog']);
    expect(rows({ opened: new Map([['shop/web', true]]) })).toEqual(rows({ unfolded: true }));
  });

  it('rows of a group are listed if an instance fails, unless the user has collapsed it', () => {
    const failing = SERVICES.with(2, serviceOf({ name: 'web@2', state: 'failed', pid: null }));
    expect(rows({}, failing)).toEqual(['web', 'web@1', 'web@2', 'api', 'db', 'weblog']);
    expect(rows({ opened: new Map([['shop/web', false]]) }, failing)).toEqual(['web', 'api', 'db', 'weblog']);
  });

  it.each([
    ['name', false, ['api', 'db', 'web', 'weblog']],
    ['name', true, ['weblog', 'web', 'db', 'api']],
    ['cpu', true, ['weblog', 'web', 'db', 'api']],
    ['cpu', false, ['db', 'web', 'weblog', 'api']],
    ['memory', true, ['weblog', 'db', 'web', 'api']],
    ['restarts', true, ['db', 'web', 'api', 'weblog']],
    ['uptime', true, ['db', 'weblog', 'web', 'api']],
    ['state', false, ['api', 'db', 'web', 'weblog']],
  ] as const)(
    'rows are sorted by %s, descending: %s; unknown values come last',
    (column, isDescending, sorted) => {
      expect(rows({ sort: { column, isDescending } })).toEqual(sorted);
    },
  );

  it('rows go through all columns, numbers with the highest first, back to the usual order', () => {
    const seen: string[] = [];
    for (let sort = nextSort(undefined); sort !== undefined; sort = nextSort(sort))
      seen.push(`${sort.column}${sort.isDescending ? '▼' : '▲'}`);
    expect(seen).toEqual(['name▲', 'state▲', 'cpu▼', 'memory▼', 'uptime▼', 'restarts▼']);
  });

  it('rows that match a filter come with the best first, or as they are sorted', () => {
    expect(rows({ filter: 'web' })).toEqual(['web', 'weblog']);
    expect(rows({ filter: 'wl' })).toEqual(['weblog']);
    expect(rows({ filter: 'web', sort: { column: 'cpu', isDescending: true } })).toEqual(['weblog', 'web']);
    expect(rows({ filter: 'q' })).toEqual([]);
  });

  it('rows of a collapsed group are found if the filter matches only an instance', () => {
    expect(rows({ filter: 'web@2' })).toEqual(['web@2']);
    expect(rows({ filter: 'web@' })).toEqual(['web@1', 'web@2']);
  });

  it('rows know how many services they stand for', () => {
    const model = applyView(NOTHING, { full: true, projects: [projectOf(SERVICES)], gone: [] });
    const facts = { model, filter: '', sort: undefined, opened: new Map() };
    expect([false, true].map((unfolded) => serviceCount(rowsOf({ ...facts, unfolded })))).toEqual([5, 5]);
  });
});
