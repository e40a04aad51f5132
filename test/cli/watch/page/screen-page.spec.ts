import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../../../src/cli/render/text-table.ts';
import { pageLines } from '../../../../src/cli/watch/page/screen-page.ts';
import { press } from '../../../../src/cli/watch/model/press.ts';
import { after, FIRST_SCENE, type SceneInput, type Scene } from '../../../../src/cli/watch/model/scene.ts';
import { keysIn } from '../../support/typed.ts';
import { paintOf } from '../../../../src/streams/views/words/paint.ts';
import type { ServiceDocument } from '../../../../src/streams/wire/documents/documents.ts';
import type { LogEntry } from '../../../../src/streams/wire/log-line.ts';
import { eventOf, NOW, projectOf, serviceOf } from '../../support/documents.ts';

const plain = paintOf(false);
const hello = { protocol: 3, version: '0.1.0', pid: 4, since: '' };

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

const seen = (services: readonly ServiceDocument[], full = true): SceneInput => ({
  tag: 'seen',
  view: { full, projects: [projectOf(services)], gone: [] },
});
const second: SceneInput = { tag: 'second', now: NOW };
const given = (scene: Scene, ...inputs: readonly SceneInput[]): Scene => inputs.reduce(after, scene);
const typing = (scene: Scene, typed: string): Scene => press(scene, keysIn(typed)).scene;
const sized = (scene: Scene, columns: number, rows = 24): Scene =>
  after(scene, { tag: 'resized', size: { columns, rows } });
const page = (scene: Scene, columns: number, rows = 24): readonly string[] =>
  pageLines(sized(scene, columns, rows), plain);

const connected = given(FIRST_SCENE, { tag: 'found', hello, again: false });
const shown = (...services: readonly ServiceDocument[]): Scene => given(connected, seen(services), second);

const watching = (count: number): Scene => {
  const failed = serviceOf({ name: 'web-1', state: 'failed', reason: 'exited with 1', pid: null });
  const event = eventOf({ service: 'web-1', from: 'running', to: 'failed', reason: 'exited with 1' });
  const events: SceneInput = { tag: 'happened', events: [event] };
  return given(shown(...many(count)), seen(count === 0 ? [] : [failed], false), events, second);
};

const entry = (text: string, at = ''): LogEntry => ({ at, stream: 'stdout', text, continues: false });
const logged = (scene: Scene, ...texts: readonly string[]): Scene => {
  const entries = texts.map((text) => entry(text));
  const of = scene.log.of ?? '';
  return after(scene, { tag: 'logged', of, entries, isFirst: true });
};

const marked = (scene: Scene, columns = 80): readonly string[] =>
  page(scene, columns).filter((line) => line.startsWith('>'));

/** A stack with all that the table can show. */
const STACK = [
  serviceOf({ name: 'db', cpu_percent: 1.5, rss_bytes: 8_000_000 }),
  ...[1, 2, 3].map((number) =>
    serviceOf({ name: `web@${number}`, pid: number, cpu_percent: 4, rss_bytes: 1e6 }),
  ),
  serviceOf({
    name: 'mailer',
    state: 'backoff',
    pid: null,
    health: 'unknown',
    reason: 'exited with 1; attempt 1 of 8',
  }),
];
const LINES = [
  'GET /cart 200',
  '\u001b[31mGET /pay 500\u001b[0m',
  `a long line ${'and on '.repeat(40)}`,
  '漢字 GET /pay 200',
];

/** What a user sees on the way through the view. */
const TOUR: readonly (readonly [string, (scene: Scene) => Scene])[] = [
  ['services and events', (scene) => scene],
  ['a group expanded, sorted by state', (scene) => typing(scene, '/we\r\u001b[C\u001b\u001boo')],
  ['typing a filter', (scene) => typing(scene, '/wb')],
  ['the logs', (scene) => logged(typing(scene, 'jl'), ...LINES)],
  ['a search in the logs', (scene) => typing(logged(typing(scene, 'jl'), ...LINES), '/pay\rN')],
  ['a question', (scene) => typing(scene, 'js')],
  [
    'a refused action',
    (scene) =>
      given(scene, {
        tag: 'remarked',
        remark: { text: 'stop shop/db: ERR0005 no such service', ink: 'red', hint: 'sup status' },
      }),
  ],
];

describe('the page of the live view', () => {
  it.each([60, 80, 120, 200])('the page is as it was looked at with %d columns', async (columns) => {
    const first = sized(given(shown(...STACK), { tag: 'happened', events: [eventOf()] }), columns, 18);
    const pages = TOUR.map(([title, go]) => `== ${title}\n${pageLines(go(first), plain).join('\n')}\n`);
    await expect(pages.join('\n')).toMatchFileSnapshot(`golden/${columns}.txt`);
  });

  it.each([60, 80, 200].flatMap((columns) => [3, 300].map((count) => [columns, count] as const)))(
    'the page fits %d columns with %d services, one line each, with the keys at the bottom',
    (columns, count) => {
      const lines = page(typing(watching(count), 'j'), columns);
      expect(lines).toHaveLength(24);
      expect(lines.filter((line) => line.length > columns)).toEqual([]);
      expect(lines[0]).toMatch(new RegExp(`^${count} services, ${count - 1} running, 1 in trouble`));
      const table = lines.slice(count === 3 ? 1 : 2);
      expect(lines[1]).toMatch(count === 3 ? /^ {2}SERVICE/ : /^row 2 of 300$/);
      expect(table[0]).toMatch(/^ {2}SERVICE +STATE +HEALTH .*REASON$/);
      expect(table[1]).toMatch(/^ {2}shop\/web-1 +failed/);
      expect(lines.join('\n')).toMatch(
        /EVENTS\n12:00:00 shop\/web-1 running →\s+failed\s+\(exited\s+with 1\)/,
      );
      expect(lines.join('\n')).toMatch(/\n {2}cpu .*█.* 12.0 %\n {2}memory .*█.* 48.5 MiB\n/);
      expect(lines.at(-1)).toMatch(/\? keys {2}q quit$/);
      expect(lines.slice(-2).join('\n')).toMatch(/^↑↓ select .* r restart {2}s stop/m);
    },
  );

  it('the page shows the time until the next run from now, however old the view', () => {
    const next_run_at = new Date(NOW + 20_000).toISOString();
    const job = serviceOf({ name: 'job', state: 'scheduled', reason: 'next run in 20 s', next_run_at });
    const lines = page(given(shown(job), { tag: 'second', now: NOW + 8_000 }), 80);
    expect(lines[2]).toMatch(/ next run in 12 s$/);
    expect(lines[3]).toBe('shop/job: next run in 12 s');
  });

  it('the page has one row for a service with replicas, with the charts of all', () => {
    const scene = shown(...STACK.slice(0, 4));
    expect(page(scene, 120)[3]).toMatch(/^ ▸shop\/web +running 3\/3 /);
    expect(page(typing(scene, 'j'), 120).join('\n')).toMatch(
      /\n {2}cpu .*█ 12.0 %\n {2}memory .*█ 2.9 MiB\n/,
    );
    expect(page(typing(scene, 'v'), 120)[3]).toMatch(/^ ▾shop\/web /);
  });

  it('the page has sparklines in the table if there is room', () => {
    expect(page(watching(3), 200)[3]).toMatch(/12.0 % {8}██ +48.5 MiB {8}██ /);
    expect(page(watching(3), 100)[3]).not.toContain('█');
  });

  it('the page shows the selected service, wherever it is', () => {
    for (const at of [0, 7, 150, 299])
      expect(marked({ ...watching(300), selected: `shop/web-${at}` })).toEqual([
        expect.stringMatching(new RegExp(`^> shop/web-${at} `)),
      ]);
  });

  it.each([
    [1, 1],
    [7, 3],
    [12, 10],
    [30, 14],
    [80, 5],
    [200, 60],
  ])('the page never exceeds %d columns and %d rows', (columns, rows) => {
    const remark = { text: 'x'.repeat(300), ink: 'red', hint: 'y' } as const;
    for (const scene of [
      watching(300),
      watching(0),
      FIRST_SCENE,
      given(watching(3), { tag: 'remarked', remark }),
    ])
      for (const typed of ['', 'l', 'lz', '\r', '?', '/we', 's', 'l/x', '\t', 'oo', 'lw']) {
        const opened = typing(sized(scene, columns, rows), typed);
        const lines = pageLines(
          logged(opened, 'x'.repeat(500), '漢'.repeat(200), '\u001b[31mé'.repeat(90)),
          paintOf(true),
        );
        // eslint-disable-next-line no-control-regex -- colours have no width
        const wide = lines.map((line) => columnsOf(line.replace(/\u001b\[\d*m/g, '')));
        expect([typed, lines.length, wide.filter((width) => width > columns)]).toEqual([typed, rows, []]);
      }
  });

  it('the page gives the remaining rows to services and events, or to the pane that has the keys', () => {
    const rowsOf = (rows: number, count: number, typed = ''): number =>
      page(typing(sized(watching(count), 80, rows), typed), 80, rows).filter((line) =>
        /^[> ] shop\/web-/.test(line),
      ).length;
    expect([rowsOf(24, 3), rowsOf(24, 300), rowsOf(60, 300), rowsOf(10, 300)]).toEqual([3, 12, 48, 6]);
    expect([rowsOf(24, 300, 'l'), rowsOf(24, 300, 'l\t'), rowsOf(10, 3, 'l'), rowsOf(24, 3, 'lz')]).toEqual([
      6, 9, 0, 0,
    ]);
  });

  it('the page colours nothing that the words do not say', () => {
    const coloured = pageLines(sized(typing(watching(3), '/wb\r'), 120), paintOf(true));
    // eslint-disable-next-line no-control-regex -- the escape codes themselves are under test
    expect(coloured.map((line) => line.replace(/\u001b\[\d+m/g, ''))).toEqual(
      page(typing(watching(3), '/wb\r'), 120),
    );
  });

  it('the page paints the letters that the filter has found', () => {
    const lines = pageLines(typing(watching(3), '/hw2'), paintOf(true));
    const on = (letter: string): string => `\u001b[7m${letter}\u001b[0m`;
    expect(lines[3]).toContain(`s${on('h')}op/${on('w')}eb-${on('2')}`);
  });

  it('the page names its supervisor, that it is gone, and that it is back', () => {
    const error = { code: 'ERR0206', message: 'no supervisor', path: null, at: null, hint: null } as const;
    const scene = watching(3);
    const gone = given(scene, { tag: 'lost', error });
    expect(page(scene, 120)[0]).toContain('supervisor pid 4, version 0.1.0');
    expect(page(gone, 120)[0]).toContain('waiting for the supervisor: no supervisor');
    expect(page(gone, 120).at(-1)).not.toContain('restart');
    expect(page(given(gone, { tag: 'found', hello, again: true }), 120)[0]).toContain(
      'connected again: supervisor pid 4',
    );
  });

  it('the page says how to end it if there are no keys', () => {
    expect(page({ ...watching(3), hasKeys: false }, 80).at(-1)).toMatch(/no keys; Ctrl-C ends the view$/);
  });

  it('the page of keys scrolls if the terminal is lower than it, and otherwise any key leaves it', () => {
    const low = typing(sized(watching(3), 80, 12), '?');
    expect(page(low, 80, 12).join('\n')).toMatch(/^KEYS\n {2}↑↓ {6}select a service/);
    expect(page(low, 80, 12).at(-1)).toBe('↑↓ scroll, any other key goes back');
    expect(page(typing(low, 'G'), 80, 12).at(-2)).toMatch(/^ {2}q {7}quit/);
    expect(page(typing(low, 'Gk'), 80, 12).at(-2)).not.toMatch(/^ {2}q /);
    expect(page(typing(low, 'x'), 80, 12).join('\n')).not.toContain('KEYS');
    const high = typing(sized(watching(3), 80, 40), '?');
    expect(page(high, 80, 40).at(-1)).toBe('any key goes back');
    expect(page(typing(high, 'j'), 80, 40).join('\n')).not.toContain('KEYS');
  });

  it('a pane that cannot be read says why, until another service is selected', () => {
    const why = { tag: 'unread', lines: ['logs: ERR0701 permission denied', 'hint: ask the owner'] } as const;
    const scene = given(typing(watching(3), 'l'), { ...why, pane: 'logs' });
    expect(page(scene, 80).join('\n')).toContain('logs: ERR0701 permission denied\nhint: ask the owner\n');
    expect(page(scene, 80).join('\n')).not.toContain('reading …');
    expect(page(typing(scene, '\tj'), 80).join('\n')).not.toContain('ERR0701');
    const events = given(watching(3), { ...why, pane: 'events' });
    expect(page(events, 80).join('\n')).toContain('hint: ask the owner');
  });

  it('the page shows the newest lines of a log, with colours and no other sequence', () => {
    const scene = typing(watching(3), 'l');
    const lines = Array.from({ length: 50 }, (_, at) => `line ${at}`);
    const hostile = '\u001b[2J\u001b]0;title\u0007\u009b1;1H\u001b[31mred\u001b[0m\u202e\r\u0008end';
    const last = pageLines(sized(logged(scene, ...lines, hostile), 80), paintOf(true)).at(-3);
    expect(last).toBe('\u001b[31mred\u001b[0m\\u202e\\x0d\\x08end\u001b[0m');
    expect(page(logged(scene, ...lines, hostile), 80).at(-3)).toBe('red\\u202e\\x0d\\x08end');
    expect(page(logged(scene, 'x'.repeat(200)), 60).join('\n')).toMatch(/\nx{59}…\n/);
    expect(page(logged(typing(scene, 'w'), 'x'.repeat(100)), 60).join('\n')).toMatch(/\nx{60}\nx{40}\n/);
  });
});
