// W6: how long after it becomes usable is a service reported as ready? The services become usable after 5 and
// 8 seconds.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { inOwnDirectory } from '../measure/own-directory.ts';
import type { Figure } from '../report/figure.ts';
import { projectOf } from '../subjects/manifest.ts';
import { openSup } from '../subjects/sup.ts';
import type { Bench, Workload } from '../workload.ts';

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

const serviceOf = (
  argv: readonly string[],
  url: string,
  check: Readonly<Record<string, string>>,
): unknown => ({
  exec: argv,
  restart_policy: 'never',
  deployment: { health_check: { url, total_timeout: '30s', retries: 100, ...check } },
});

interface Case {
  readonly delay: number;
  readonly check: Readonly<Record<string, string>>;
}

/** Resolves to the seconds from usable to reported as ready; negative: reported too early. */
const lateness = ({ root, dist, scratch }: Bench, { delay, check }: Case): Promise<number> =>
  inOwnDirectory(scratch, async (place) => {
    const sup = openSup(dist, place);
    const port = await freePort();
    const stamp = join(place.directory, 'usable');
    const fixture = join(root, 'bench/fixtures/late-server.js');
    const argv = [process.execPath, fixture, String(port), String(delay), stamp];
    const late = serviceOf(argv, `http://127.0.0.1:${port}/`, check);
    await sup.cli(['start', '-c', await sup.write(projectOf({ late })), '--daemonize']);
    const client = await sup.connect();
    const { projects } = await client.call('status', {});
    client.close();
    const ready = projects[0]?.services[0]?.ready_at ?? '';
    const usable = Number(await readFile(stamp, 'utf8'));
    await sup.end();
    return (Date.parse(ready) - usable) / 1000;
  });

const figureOf = (what: string, value: number): Figure => ({
  subject: 'sup',
  what,
  value,
  unit: 's',
  goal: { atMost: 0.1 },
});

export const readiness: Workload = {
  id: 'W6',
  title: 'readiness truth',
  run: async (bench) => {
    const delays = bench.quick ? [1_000] : [5_000, 8_000];
    const of = (check: Case['check']): Promise<readonly number[]> =>
      Promise.all(delays.map((delay) => lateness(bench, { delay, check })));
    const [byDefault, tuned] = await Promise.all([of({}), of({ interval: '100ms' })]);
    return delays.flatMap((delay, at) => {
      const what = `ready − usable, usable after ${delay / 1000} s`;
      return [
        figureOf(`${what}, default interval (2 s)`, byDefault[at] ?? Number.NaN),
        figureOf(`${what}, interval 100 ms`, tuned[at] ?? Number.NaN),
      ];
    });
  },
};
