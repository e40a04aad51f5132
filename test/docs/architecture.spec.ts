import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runId } from '../../src/streams/domain/ids.ts';
import { DEFAULT_SETTINGS } from '../../src/streams/domain/declared/settings.ts';
import { watchesOf } from '../../src/streams/service/watches.ts';
import { kernel } from '../support/kernel.ts';
import { idOf, needs, specOf } from '../support/spec.ts';

const page = readFileSync('docs/architecture.md', 'utf8');

const BEHAVIOURS = [
  'backoff',
  'breaker',
  'casualty falls',
  'casualty rises',
  'gate',
  'include cycle',
  'interpolation',
  'durations',
  'HTTP probe',
  'exhaustion rule',
  'stop escalation',
  'finding leftovers',
  'rotation',
  'cron boundary',
  'hook timeout',
  'reason text',
  'exit statuses',
  'atomic state',
  'adoption',
  'control socket',
];

const rows = [...page.matchAll(/^\| ([\w ]+) \| `(src\/[^`]+\.ts)` \|$/gm)].map(([, behaviour, file]) => ({
  behaviour,
  file: file ?? '',
}));

describe('docs/architecture.md', () => {
  it('names the file of each of twenty behaviours', () => {
    expect(rows.map(({ behaviour }) => behaviour)).toEqual(BEHAVIOURS);
  });

  it('names files and folders that are there', () => {
    const named = [...page.matchAll(/`((?:src|test)\/[^`*<\s]+|[\w/-]+\.ts)`/g)].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(40);
    const isThere = (path: string): boolean =>
      ['', 'src/', 'src/streams/', 'src/supervisor/', 'src/cli/'].some((room) => existsSync(room + path));
    expect(named.filter((path) => !isThere(path))).toEqual([]);
  });

  it('walks a crash over stations in the order of their numbers', () => {
    const [, way = ''] = /## The way of one event\n([^]*?)\n## /.exec(page) ?? [];
    const stations = [...way.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
    expect(stations).toEqual(stations.map((_, index) => index + 1));
    expect(stations.length).toBeGreaterThan(5);
  });

  it('has a room for every folder of src', () => {
    const [, table = ''] = /\| Room \| May import \| Never \|\n([^]*?)\n\n/.exec(page) ?? [];
    const rooms = [...table.matchAll(/^\| `(src\/\w+)`/gm)].map(([, room]) => room);
    expect(rooms).toEqual(
      ['streams', 'os', 'manifest', 'sources', 'sinks', 'supervisor', 'cli'].map((room) => `src/${room}`),
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

  it('fells the dependent in the first lap, and signals nobody: it asks who is there', () => {
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

  it('signals whoever is there in the second', () => {
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
