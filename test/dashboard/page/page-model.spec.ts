import { describe, expect, it } from 'vitest';
import { EMPTY_PAGE, nextPage, type PageEvent } from '../../../src/dashboard/page/model/page-model.ts';
import { eventOf, NOW, statusOf } from '../../cli/support/documents.ts';
import { rowOf } from './rows.ts';

const { supervisor } = statusOf([]);
const after = (...events: readonly PageEvent[]) => events.reduce(nextPage, EMPTY_PAGE);

const VIEW = {
  news: 'view',
  at: NOW,
  origin: 'connected',
  supervisor,
  rows: [rowOf('shop/api'), rowOf('shop/db')],
  edges: [],
  events: [],
} as const;

const crash = (at: string) =>
  eventOf({ at, project: 'shop', service: 'api', from: 'running', to: 'backoff', cause: 'exit status 3' });

describe('the model of the page', () => {
  it('a change replaces rows, removes those that are gone, and keeps the rest', () => {
    const { rows, origin } = after(VIEW, {
      news: 'change',
      at: NOW + 1,
      rows: [rowOf('shop/api', { state: 'backoff' })],
      gone: ['shop/db'],
      origin: 'reconnecting',
    });
    expect([...rows.values()].map(({ id, state }) => [id, state])).toEqual([['shop/api', 'backoff']]);
    expect(origin).toBe('reconnecting');
  });

  it('a view replaces everything but the samples and the lanes', () => {
    const sample: PageEvent = { news: 'samples', at: NOW, of: { 'shop/api': [1, 2] } };
    const { rows, trends } = after(VIEW, sample, { ...VIEW, rows: [rowOf('shop/web')] });
    expect([...rows.keys()]).toEqual(['shop/web']);
    expect(trends.get('shop/api')).toEqual({ cpu: [1], rss: [2] });
  });

  it('samples are kept for two minutes, with gaps', () => {
    const samples = Array.from({ length: 130 }, (_, at): PageEvent => ({
      news: 'samples',
      at,
      of: { 'shop/api': [at % 2 ? at : null, at] },
    }));
    const { cpu = [] } = after(VIEW, ...samples).trends.get('shop/api') ?? {};
    expect(cpu).toHaveLength(120);
    expect(cpu.slice(-2)).toEqual([null, 129]);
  });

  it('the newest change of a service and its lane follow the events', () => {
    const lanes: PageEvent = {
      id: 1,
      to: 'timeline',
      cut: NOW - 10_000,
      lanes: [
        {
          service: 'shop/api',
          spans: [{ at: NOW - 9_000, state: 'running', cause: 'start', reason: null, run: 1 }],
          marks: [],
        },
      ],
    };
    const event = crash(new Date(NOW).toISOString());
    const model = after(VIEW, lanes, { news: 'change', at: NOW, events: [event] });
    expect(model.changes.get('shop/api')).toBe(event);
    expect(model.cut).toBe(NOW - 10_000);
    expect(model.lanes.get('shop/api')?.spans.map(({ state }) => state)).toEqual(['running', 'backoff']);
  });

  it('an event that the answer about the lanes already had is not drawn twice', () => {
    const event = crash(new Date(NOW).toISOString());
    const change: PageEvent = { news: 'change', at: NOW, events: [event] };
    expect(after(VIEW, change, change).lanes.get('shop/api')?.spans).toHaveLength(1);
    const health = eventOf({ ...event, kind: 'health', health: 'unhealthy', reason: null });
    const twice: PageEvent = { news: 'change', at: NOW, events: [health, health] };
    expect(
      after(VIEW, twice)
        .lanes.get('shop/api')
        ?.marks.map(({ text }) => text),
    ).toEqual(['unhealthy']);
  });

  it('the end of a supervisor and the begin of the next are in a lane of their own', () => {
    const about = { kind: 'supervisor', project: null, service: null } as const;
    const at = (ms: number): string => new Date(NOW + ms).toISOString();
    const events = [
      eventOf({ ...about, at: at(1), to: 'stopped' }),
      eventOf({ ...about, at: at(2), to: 'running' }),
    ];
    const { lanes } = after(VIEW, { news: 'change', at: NOW, events });
    expect(lanes.get('supervisor')?.spans.map(({ state }) => state)).toEqual(['stopped', 'running']);
  });

  it('each hello counts as a connection, and a lost link is shown until the next', () => {
    const hello: PageEvent = { news: 'hello', version: '1', host: 'box', actions: false };
    expect(after(hello, { page: 'link', link: 'lost' })).toMatchObject({ link: 'lost', connections: 1 });
    expect(after(hello, { page: 'link', link: 'lost' }, hello)).toMatchObject({
      link: 'open',
      connections: 2,
    });
  });
});
