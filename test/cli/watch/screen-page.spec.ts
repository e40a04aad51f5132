import { describe, expect, it } from 'vitest';
import { paintOf } from '../../../src/streams/views/words/paint.ts';
import { membersOf } from '../../../src/cli/watch/screen-list.ts';
import { pageLines } from '../../../src/cli/watch/screen-page.ts';
import {
  connected,
  disconnected,
  FIRST_SCENE,
  happened,
  logged,
  remarked,
  sawView,
  secondPassed,
  type Scene,
} from '../../../src/cli/watch/scene.ts';
import type { ServiceDocument } from '../../../src/streams/wire/documents/documents.ts';
import { eventOf, NOW, projectOf, serviceOf } from '../support/documents.ts';

const plain = paintOf(false);
const hello = { protocol: 3, version: '0.1.0', pid: 4, since: '' };
const size = (columns: number, rows = 24) => ({ paint: plain, now: NOW, columns, rows });

const many = (count: number): readonly ServiceDocument[] =>
  Array.from({ length: count }, (_, at) =>
    serviceOf({
      name: `web-${at}`,
      pid: 1_000 + at,
      cpu_percent: at % 2 === 0 ? 12 : null,
      rss_bytes: 50_855_936,
      reason:
        at % 3 === 0 ? 'restarted: attempt 1 of 8, and this goes on for so long that it cannot fit' : null,
    }),
  );

const watching = (count: number): Scene => {
  const full = { full: true, projects: [projectOf(many(count))], gone: [] };
  const first = secondPassed(sawView(connected(FIRST_SCENE, hello, false), full));
  const failed = serviceOf({ name: 'web-1', state: 'failed', reason: 'exited with 1', pid: null });
  const event = eventOf({ service: 'web-1', from: 'running', to: 'failed', reason: 'exited with 1' });
  const second = sawView(first, { full: false, projects: [projectOf([failed])], gone: [] });
  return secondPassed(happened(second, [event]));
};

const selecting = (scene: Scene, selected: string): Scene => ({ ...scene, ui: { ...scene.ui, selected } });

describe('the page of the live view', () => {
  it.each([60, 80, 200].flatMap((columns) => [3, 300].map((count) => [columns, count] as const)))(
    'the page fits %d columns with %d services, one line each, with the keys at the bottom',
    (columns, count) => {
      const lines = pageLines(selecting(watching(count), 'shop/web-0'), size(columns));
      expect(lines).toHaveLength(24);
      expect(lines.filter((line) => line.length > columns)).toEqual([]);
      expect(lines[0]).toMatch(new RegExp(`^${count} services, ${count - 1} running, 1 in trouble`));
      expect(lines[1]).toMatch(/^ {2}SERVICE +STATE +HEALTH .*REASON$/);
      expect(lines[2]).toMatch(/^ {2}shop\/web-1 +failed/);
      expect(lines.join('\n')).toMatch(
        /EVENTS\n2026-11-21T12:00:00.000Z shop\/web-1 running →\s+failed\s+\(exited\s+with 1\)/,
      );
      expect(lines.join('\n')).toMatch(/\n {2}cpu .*█.* 12.0 %\n {2}memory .*█.* 48.5 MiB\n/);
      expect(lines.at(-1)).toMatch(/^↑↓ select/);
    },
  );

  it('the page shows the time until the next run from now, however old the view', () => {
    const next_run_at = new Date(NOW + 20_000).toISOString();
    const job = serviceOf({ name: 'job', state: 'scheduled', reason: 'next run in 20 s', next_run_at });
    const scene = sawView(FIRST_SCENE, { full: true, projects: [projectOf([job])], gone: [] });
    const lines = pageLines(scene, { ...size(80), now: NOW + 8_000 });
    expect(lines[2]).toMatch(/ next run in 12 s$/);
    expect(lines[3]).toBe('shop/job: next run in 12 s');
  });

  it('the page has one row for a service with replicas, also with the keys and the charts', () => {
    const instances = [1, 2, 3].map((number) =>
      serviceOf({ name: `web@${number}`, pid: number, cpu_percent: 4, rss_bytes: 1_048_576 }),
    );
    const full = { full: true, projects: [projectOf([...instances, serviceOf({ name: 'db' })])], gone: [] };
    const scene = secondPassed(sawView(FIRST_SCENE, full));
    const names = (shown: Scene): readonly string[] =>
      pageLines(shown, size(120))
        .filter((line) => /^[> ] shop\//.test(line))
        .map((line) => line.slice(0, 24).trimEnd().replace(/ +/g, ' '));
    expect(names(scene)).toEqual(['> shop/web running 3/3', ' shop/db running']);
    expect(pageLines(scene, size(120)).join('\n')).toMatch(/\n {2}cpu .*█ 12.0 %\n {2}memory .*█ 3.0 MiB\n/);
    expect(membersOf(scene, 'shop/web')).toEqual(['shop/web@1', 'shop/web@2', 'shop/web@3']);
    const unfolded = { ...scene, ui: { ...scene.ui, unfolded: true } };
    expect(names(unfolded)).toHaveLength(5);
    const failed = serviceOf({ name: 'web@2', state: 'failed', pid: null });
    const failing = sawView(scene, { full: false, projects: [projectOf([failed])], gone: [] });
    expect(names(selecting(failing, 'shop/web@2')).filter((name) => name.startsWith('>'))).toEqual([
      expect.stringMatching('> shop/web@2 failed'),
    ]);
  });

  it('the page has sparklines in the table if there is room', () => {
    const row = (columns: number): string | undefined => pageLines(watching(3), size(columns))[3];
    expect(row(200)).toMatch(/12.0 % {8}██ +48.5 MiB {8}██ /);
    expect(row(100)).not.toContain('█');
  });

  it('the page shows the selected service, wherever it is', () => {
    for (const at of [0, 7, 150, 299]) {
      const lines = pageLines(selecting(watching(300), `shop/web-${at}`), size(80));
      expect(lines.filter((line) => line.startsWith('> '))).toEqual([
        expect.stringMatching(new RegExp(`^> shop/web-${at} `)),
      ]);
    }
  });

  it.each([
    [1, 1],
    [7, 3],
    [12, 10],
    [80, 5],
    [200, 60],
  ])('the page never exceeds %d columns and %d rows', (columns, rows) => {
    const scenes = [watching(300), watching(0), FIRST_SCENE, logged(watching(3), [])];
    for (const scene of scenes)
      for (const page of ['services', 'logs', 'help'] as const) {
        const lines = pageLines({ ...scene, ui: { ...scene.ui, page } }, size(columns, rows));
        expect(lines).toHaveLength(rows);
        expect(lines.filter((line) => line.length > columns)).toEqual([]);
      }
  });

  it('the page gives the remaining rows to services and events', () => {
    const shown = (rows: number, count: number): number =>
      pageLines(watching(count), size(80, rows)).filter((line) => /^[> ] shop\/web-/.test(line)).length;
    expect([shown(24, 3), shown(24, 300), shown(60, 300), shown(10, 300)]).toEqual([3, 14, 50, 7]);
  });

  it('the page colours nothing that the words do not say', () => {
    const colored = pageLines(watching(3), { ...size(120), paint: paintOf(true) });
    // eslint-disable-next-line no-control-regex -- the escape codes themselves are under test
    expect(colored.map((line) => line.replace(/\u001b\[\d+m/g, ''))).toEqual(
      pageLines(watching(3), size(120)),
    );
  });

  it('the page names its selection, that the supervisor is gone, and that it is back', () => {
    const gone = { code: 'ERR0206', message: 'no supervisor', path: null, at: null, hint: null } as const;
    const scene = watching(3);
    expect(pageLines(scene, size(120))[0]).toContain('supervisor pid 4, version 0.1.0');
    expect(pageLines(disconnected(scene, gone), size(120))[0]).toContain(
      'waiting for the supervisor: no supervisor',
    );
    expect(pageLines(connected(scene, hello, true), size(120))[0]).toContain(
      'connected again: supervisor pid 4',
    );
  });

  it('the page shows the result of a key in place of the keys', () => {
    const lines = pageLines(remarked(watching(3), { text: 'stop shop/web: done', ink: 'green' }), size(80));
    expect(lines.at(-1)).toBe('stop shop/web: done');
  });

  it('the page shows the newest lines of a log, escaped and cut', () => {
    const entry = (text: string) => ({ at: '', stream: 'stdout', text, continues: false });
    const scene = logged(
      { ...watching(3), ui: { ...FIRST_SCENE.ui, page: 'logs', selected: 'shop/web-1' } },
      [...Array.from({ length: 50 }, (_, at) => entry(`line ${at}`)), entry('\u001b[2J'.padEnd(200, 'x'))],
    );
    const lines = pageLines(scene, size(60));
    expect(lines[0]).toBe('logs of shop/web-1  Esc back');
    expect(lines[1]).toBe('line 29');
    expect(lines[22]).toMatch(/^\\x1b\[2Jx+…$/);
  });
});
