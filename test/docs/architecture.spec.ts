import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runId } from '../../src/streams/domain/ids.ts';
import { DEFAULT_SETTINGS } from '../../src/streams/domain/declared/settings.ts';
import { watchesOf } from '../../src/streams/service/service-watches.ts';
import { kernel } from '../support/kernel.ts';
import { idOf, needs, specOf } from '../support/spec.ts';

const page = readFileSync('docs/architecture.md', 'utf8');

/** The folders of a room: `src/cli/render`. */
const foldersOf = (room: string): readonly string[] =>
  readdirSync(`src/${room}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `src/${room}/${name}`);

const anchorOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

describe('docs/architecture.md', () => {
  it('docs/architecture.md names existing files and folders', () => {
    const [written = ''] = page.split('<!-- rules -->');
    const named = [...written.matchAll(/`((?:src|test|scripts|marbles)\/[^`*<\s]*)`/g)].map(
      ([, path = '']) => path,
    );
    expect(named.length).toBeGreaterThan(60);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('docs/architecture.md describes each folder of each room', () => {
    const [, table = ''] = /## The folders\n([^]*?)\n## /.exec(page) ?? [];
    const listed = [...table.matchAll(/^\| `(src\/[^`]+)` \| \S/gm)].map(([, folder]) => folder);
    expect(listed.toSorted()).toEqual(readdirSync('src').flatMap(foldersOf).toSorted());
  });

  it('docs/architecture.md begins with a list of its sections', () => {
    const listed = [...page.matchAll(/^- \[([^\]]+)\]\(#([^)]+)\)$/gm)].map(([, title, anchor]) => [
      title,
      anchor,
    ]);
    const sections = [...page.matchAll(/^## (.+)$/gm)].map(([, title = '']) => [title, anchorOf(title)]);
    expect(listed).toEqual(sections);
  });

  it.each(['event', 'manifest'])(
    'docs/architecture.md numbers the stations of one %s in their order',
    (what) => {
      const [, way = ''] = new RegExp(`## The way of one ${what}\\n([^]*?)\\n## `).exec(page) ?? [];
      const stations = [...way.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
      expect(stations).toEqual(stations.map((_, index) => index + 1));
      expect(stations.length).toBeGreaterThan(5);
    },
  );

  it('docs/architecture.md has a room for each folder of src', () => {
    const [, table = ''] = /\| Room \| May import \| Never \|\n([^]*?)\n\n/.exec(page) ?? [];
    const rooms = [...table.matchAll(/^\| `(src\/\w+)`/gm)].map(([, room]) => room);
    expect(rooms).toEqual(
      [
        'streams',
        'os',
        'manifest',
        'sources',
        'sinks',
        'client',
        'dashboard',
        'mcp',
        'exchange',
        'supervisor',
        'cli',
      ].map((room) => `src/${room}`),
    );
  });
});

describe('the way of one event', () => {
  const shop = (): ReturnType<typeof kernel> => {
    const made = kernel();
    made.start(specOf('api'), specOf('worker', { dependsOn: needs('api') }));
    made.up('api', 'worker');
    made.drain();
    return made;
  };
  const listed = (made: ReturnType<typeof kernel>, name: string): readonly string[] =>
    watchesOf(made.service(name), DEFAULT_SETTINGS).map(({ type }) => type);

  it('the first lap stops the dependent without a signal and requests a process scan', () => {
    const made = shop();
    made.post({
      type: 'exited',
      service: idOf('api'),
      run: runId(1),
      status: { tag: 'code', code: 1 },
    });
    expect(made.tags('api', 'worker')).toEqual(['stopping', 'stopping']);
    expect(made.drain().filter(({ type }) => type === 'signal')).toEqual([]);
    expect(['api', 'worker'].map((name) => listed(made, name).includes('tree'))).toEqual([true, true]);
  });

  it('the second lap signals the processes found', () => {
    const made = shop();
    made.exit('api', 1);
    made.drain();
    const alive = [
      { pid: 2, startTicks: 1 },
      { pid: 3, startTicks: 1 },
    ];
    made.post({ type: 'surveyed', service: idOf('worker'), run: runId(1), alive, evidence: [] });
    const signals = made.drain().filter(({ type }) => type === 'signal');
    expect(signals).toMatchObject([{ service: 'shop/worker', signal: 'SIGTERM', targets: alive }]);
  });
});
