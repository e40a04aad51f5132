import { describe, expect, it } from 'vitest';
import { timeline } from '../../../src/dashboard/live/timeline-lanes.ts';
import type { ServiceRow } from '../../../src/dashboard/page-messages.ts';
import { serviceDocument } from '../../../src/streams/views/service-document.ts';
import type { EventDocument } from '../../../src/streams/wire/documents/event-document.ts';
import { NOW, serviceIn } from '../../support/states.ts';

const AT = Date.parse('2026-11-27T12:00:00.000Z');
const at = (seconds: number): string => new Date(AT + seconds * 1000).toISOString();

const event = (seconds: number, given: Partial<EventDocument>): EventDocument => ({
  ...{ schema: 'sup.event/1', at: at(seconds), kind: 'state', project: 'shop', service: 'web', child: null },
  ...{ from: null, to: 'running', health: 'unknown', run: 1, pid: null, cause: 'ready', reason: null },
  ...{ code: null, because_of: [], rollout: null },
  ...given,
});

const rowOf = (tag: 'up' | 'backing-off', name = 'web'): ServiceRow => ({
  ...serviceDocument(serviceIn(tag, { name }), { now: NOW, byId: () => undefined }),
  ...{ id: `shop/${name}`, project: 'shop' },
});
const rows = (...all: readonly ServiceRow[]): ReadonlyMap<string, ServiceRow> =>
  new Map(all.map((row) => [row.id, row]));

describe('the lanes of the timeline', () => {
  it('a lane begins with the state that is in force at the asked time', () => {
    const events = [
      event(0, { to: 'starting' }),
      event(10, {}),
      event(50, { to: 'backoff', cause: 'exited' }),
    ];
    const lanes = timeline(events, rows(rowOf('backing-off')), { since: AT + 20_000 });
    expect(lanes).toHaveLength(1);
    expect(lanes[0]?.spans.map((span) => [(span.at - AT) / 1000, span.state, span.cause])).toEqual([
      [10, 'running', 'ready'],
      [50, 'backoff', 'exited'],
    ]);
  });

  it('a state that no event tells comes from the row', () => {
    const lanes = timeline([], rows(rowOf('up')), { since: 0 });
    expect(lanes[0]?.spans.map(({ state, cause }) => [state, cause])).toEqual([['running', 'recorded']]);
  });

  it('steps of a rollout are marks, and the supervisor has a lane of its own', () => {
    const rollout = { strategy: 'rolling', step: 'failed', slot: null } as const;
    const own = { kind: 'supervisor', project: null, service: null } as const;
    const ended = event(4, { ...own, to: 'stopped' });
    const events = [event(1, {}), event(2, { kind: 'rollout', rollout }), event(3, own), ended];
    const lanes = timeline(events, rows(rowOf('up')), { since: AT });
    expect(lanes[0]?.marks.map(({ text }) => text)).toEqual(['rolling failed']);
    expect(lanes[1]?.service).toBe('supervisor');
    expect(lanes[1]?.spans.map(({ state }) => state)).toEqual(['running', 'stopped']);
  });

  it('only the asked services have lanes; a removed one keeps its lane', () => {
    const events = [event(1, { service: 'old' }), event(2, { service: 'old', to: null })];
    const all = timeline(events, rows(rowOf('up'), rowOf('up', 'db')), { since: 0 });
    expect(all.map(({ service }) => service)).toEqual(['shop/web', 'shop/db', 'shop/old']);
    const some = timeline(events, rows(rowOf('up'), rowOf('up', 'db')), { since: 0, services: ['shop/db'] });
    expect(some.map(({ service }) => service)).toEqual(['shop/db']);
  });
});
