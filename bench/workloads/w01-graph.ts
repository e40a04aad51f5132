// W1: ten services in a dependency graph. Each works for 0.3 s until it is healthy. Measures the time from
// the command until the last service has done its work.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inOwnDirectory } from '../measure/own-directory.ts';
import { repeat } from '../measure/repeat.ts';
import { median } from '../measure/statistics.ts';
import { projectOf } from '../subjects/manifest.ts';
import { openSup } from '../subjects/sup.ts';
import type { Bench, Workload } from '../workload.ts';

const NEEDS: Readonly<Record<string, readonly string[]>> = {
  db: [],
  cache: ['db'],
  w1: ['cache'],
  w2: ['cache'],
  w3: ['cache'],
  queue: [],
  i1: ['queue'],
  i2: ['queue'],
  agg: ['w1', 'w2', 'w3', 'i1', 'i2'],
  rep: ['agg'],
};

const manifest = (root: string, directory: string): string =>
  projectOf(
    Object.fromEntries(
      Object.entries(NEEDS).map(([name, needs]) => [
        name,
        {
          exec: ['/bin/sh', join(root, 'bench/fixtures/node.sh'), join(directory, name)],
          depends_on: needs,
          deployment: { health_check: { command: `test -e ${join(directory, name)}`, interval: '1s' } },
        },
      ]),
    ),
  );

/**
 * Resolves to the seconds from the command to the last timestamp. `warm`: a supervisor was already running.
 */
const once = ({ root, dist, scratch }: Bench, warm: boolean): Promise<number> =>
  inOwnDirectory(scratch, async (place) => {
    const sup = openSup(dist, place);
    if (warm) await sup.boot();
    const file = await sup.write(manifest(root, place.directory));
    const began = Date.now();
    await sup.cli(['start', '-c', file, '--daemonize']);
    const stamps = await Promise.all(
      Object.keys(NEEDS).map(async (name) => Number(await readFile(join(place.directory, name), 'utf8'))),
    );
    await sup.end();
    return (Math.max(...stamps) / 1e6 - began) / 1000;
  });

export const graph: Workload = {
  id: 'W1',
  title: 'dependency graph',
  run: async (bench) => {
    const rounds = bench.quick ? 1 : 5;
    const cold = await repeat(rounds, () => once(bench, false));
    const warm = await repeat(rounds, () => once(bench, true));
    const subject = 'sup';
    return [
      { subject, what: 'start → last stamp', value: median(cold), unit: 's', goal: { atMost: 2 } },
      { subject, what: 'the same, supervisor running', value: median(warm), unit: 's', goal: { atMost: 2 } },
    ];
  },
};
