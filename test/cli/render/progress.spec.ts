import { describe, expect, it } from 'vitest';
import { stopping, starting } from '../../../src/cli/client/progress-texts.ts';
import { progress } from '../../../src/cli/render/progress.ts';
import { paintOf } from '../../../src/streams/views/words/paint.ts';
import type { View } from '../../../src/streams/wire/protocol.ts';
import { NOW, projectOf, serviceOf } from '../support/documents.ts';
import { fakeWorld } from '../support/fake-world.ts';

const view = (full: boolean, ...services: Parameters<typeof projectOf>[0][number][]): View => ({
  full,
  projects: [projectOf(services)],
  gone: [],
});
const stubborn = serviceOf({ state: 'stopping', reason: 'SIGTERM sent 3 s ago; it is still alive' });
const ports = { paint: paintOf(false), elapsed: () => 4000, now: () => NOW };

describe('progress', () => {
  it('on a terminal progress names services under way with process and reason, and redraws', () => {
    const heard = fakeWorld({ terminal: { columns: 80, rows: 24 } });
    const shown = progress(stopping({}), { ...ports, screen: heard.world.stderr });
    shown.see(view(true, stubborn, serviceOf({ name: 'api', state: 'stopped', pid: null })));
    shown.tick();
    expect(heard.err()).toContain('stopping: 1 of 2 done, 4 s\n');
    expect(heard.err()).toContain('  shop/web stopping pid 812 SIGTERM sent 3 s ago; it is still alive\n');
    shown.tick();
    expect(heard.err()).toContain('\u001b[2A\r\u001b[J');
  });

  it('on a terminal progress disappears at the end, and writes nothing if there was nothing', () => {
    const heard = fakeWorld({ terminal: { columns: 80, rows: 24 } });
    const shown = progress(stopping({}), { ...ports, screen: heard.world.stderr });
    shown.end();
    expect(heard.err()).toBe('');
    shown.tick();
    shown.end();
    expect(heard.err().endsWith('\u001b[1A\r\u001b[J')).toBe(true);
  });

  it('progress does not flood a small terminal', () => {
    const heard = fakeWorld({ terminal: { columns: 60, rows: 10 } });
    const shown = progress(stopping({}), { ...ports, screen: heard.world.stderr });
    shown.see(view(true, ...Array.from({ length: 50 }, (_, at) => ({ ...stubborn, name: `s${at}` }))));
    shown.tick();
    const lines = heard.err().split('\n');
    expect(lines.length).toBeLessThanOrEqual(10);
    expect(heard.err()).toContain('and 43 more');
    expect(lines.every((line) => line.length <= 66)).toBe(true);
  });

  it.each([
    [40, 24],
    [80, 8],
    [20, 3],
    [10, 1],
  ])('progress never exceeds a terminal of %i columns and %i rows', (columns, rows) => {
    const heard = fakeWorld({ terminal: { columns, rows } });
    const shown = progress(stopping({}), { ...ports, screen: heard.world.stderr });
    const name = (at: number): string => `a-rather-long-name-for-a-service-${at}`;
    shown.see(view(true, ...Array.from({ length: 18 }, (_, at) => ({ ...stubborn, name: name(at) }))));
    shown.tick();
    const lines = heard.err().slice('\r\u001b[J'.length).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows - 1));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(columns);
  });

  it('progress is one plain line per result on a terminal that cannot redraw', () => {
    const heard = fakeWorld({ terminal: { columns: 80, rows: 24 } });
    const shown = progress(starting({}), { ...ports, screen: heard.world.stderr, drawn: false });
    shown.tick();
    expect(heard.err()).toBe('');
  });

  it('in a pipe progress is one plain line per result, without those under way', () => {
    const heard = fakeWorld();
    const shown = progress(starting({}), { ...ports, screen: heard.world.stderr });
    const begun = serviceOf({ state: 'starting', health: 'unknown', pid: 7 });
    shown.see(view(true, begun, serviceOf({ name: 'api' })));
    shown.tick();
    shown.see(view(false, begun));
    shown.see(view(false, { ...begun, state: 'running', health: 'healthy' }));
    shown.end();
    expect(heard.err()).toBe('shop/web starting → running (healthy, pid 7)\n');
  });

  it('in a pipe the results of one view are in order of time', () => {
    const heard = fakeWorld();
    const shown = progress(starting({}), { ...ports, screen: heard.world.stderr });
    const [web, api, db] = ['web', 'api', 'db'].map((name) =>
      serviceOf({ name, state: 'starting', health: 'unknown', pid: 7 }),
    );
    if (web === undefined || api === undefined || db === undefined) throw new Error('no service');
    shown.see(view(true, web, api, db));
    const at = (second: number): string => `2026-11-21T05:30:${second}.000Z`;
    const exit = { code: 3, signal: null, success: false, at: at(12) };
    shown.see(
      view(
        false,
        { ...web, state: 'running', health: 'healthy', ready_at: at(13) },
        { ...api, state: 'failed', pid: null, ready_at: null, last_exit: exit },
        { ...db, state: 'running', health: 'healthy', ready_at: at(11) },
      ),
    );
    expect(heard.err().match(/shop\/\w+/g)).toEqual(['shop/db', 'shop/api', 'shop/web']);
  });

  it('in a pipe each service seen under way gets a result, on a terminal it need not', () => {
    const pipe = fakeWorld();
    const shown = progress(starting({}), { ...ports, screen: pipe.world.stderr });
    expect(shown.owes()).toBe(false);
    const begun = serviceOf({ state: 'starting', health: 'unknown', pid: 7 });
    shown.see(view(true, begun, serviceOf({ name: 'api' })));
    expect(shown.owes()).toBe(true);
    const ready = { ...begun, state: 'running', health: 'healthy' } as const;
    shown.see(view(true, ready, serviceOf({ name: 'api' })));
    shown.see(view(true, ready, serviceOf({ name: 'api' })));
    expect([shown.owes(), pipe.err()]).toEqual([false, 'shop/web starting → running (healthy, pid 7)\n']);

    const heard = fakeWorld({ terminal: { columns: 60, rows: 10 } });
    const drawn = progress(starting({}), { ...ports, screen: heard.world.stderr });
    drawn.see(view(true, begun));
    expect(drawn.owes()).toBe(false);
  });
});
