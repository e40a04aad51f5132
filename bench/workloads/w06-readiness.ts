// W6: the time from the moment at which a service becomes usable until it is reported as ready. The services
// become usable after 5 and 8 seconds. Also measures the CPU use of the supervisor while many services start.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { listeningSockets, tcpCountReader } from '../../src/os/proc/net-sockets.ts';
import { machineUptime, ownCpuTime } from '../../src/sources/clocks.ts';
import { listeningLooks, portLookout } from '../../src/sources/probes/listen-lookout.ts';
import { freePort } from '../measure/free-port.ts';
import { inOwnDirectory } from '../measure/own-directory.ts';
import { cpuOf } from '../measure/processes.ts';
import type { Figure } from '../report/figure.ts';
import { projectOf } from '../subjects/manifest.ts';
import { openSup } from '../subjects/sup.ts';
import type { Bench, Workload } from '../workload.ts';

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

/**
 * Resolves to the seconds from the moment at which the service is usable until it is reported as ready. A
 * negative number means that it was reported too early.
 */
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

const STARTING = 100;
/** The first of 100 ports on which nothing listens. The kernel gives only higher ports to connections. */
const FIRST_PORT = 21_000;

/** Resolves to the CPU use of the supervisor while many services start, percent of a core. */
const cpuWith = ({ dist, scratch, quick }: Bench, serviceAt: (at: number) => unknown): Promise<number> =>
  inOwnDirectory(scratch, async (place) => {
    const sup = openSup(dist, place);
    await sup.boot();
    const services = Array.from({ length: STARTING }, (_, at) => [`s${at}`, serviceAt(at)] as const);
    const file = await sup.write(projectOf(Object.fromEntries(services)));
    const start = sup.attempt(['start', '-c', file, '--daemonize', '--quiet']);
    await pause(quick ? 3_000 : 15_000);
    const [began, cpu] = [performance.now(), cpuOf(sup.pid())];
    await pause(quick ? 2_000 : 15_000);
    const share = (cpuOf(sup.pid()) - cpu) / (performance.now() - began);
    await sup.end();
    await start;
    return share * 100;
  });

/** Resolves to the CPU use of waiting for 100 ports to open, percent of a core, measured in this process. */
const cpuOfLooks = async ({ quick }: Bench): Promise<number> => {
  const listening$ = listeningLooks({
    now: machineUptime,
    look: listeningSockets,
    countInUse: tcpCountReader(),
    cpuTime: ownCpuTime,
  });
  const lookouts = Array.from({ length: STARTING }, (_, at) =>
    portLookout(listening$, { port: FIRST_PORT + at, isLoopback: true }).appeared$.subscribe(),
  );
  await pause(1_000);
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  await pause(quick ? 2_000 : 10_000);
  const { user, system } = process.cpuUsage(cpu);
  const share = (user + system) / 10 / (performance.now() - began);
  lookouts.forEach((lookout) => lookout.unsubscribe());
  return share;
};

const costs = async (bench: Bench): Promise<readonly Figure[]> => {
  const argv = ['/bin/sleep', '3600'];
  const quiet = await cpuWith(bench, () => ({ exec: argv, restart_policy: 'never' }));
  const starting = await cpuWith(bench, (at) =>
    serviceOf(argv, `http://127.0.0.1:${FIRST_PORT + at}/`, { total_timeout: '10m' }),
  );
  const of = { subject: 'sup', unit: '% of a core' } as const;
  const looks = await cpuOfLooks(bench);
  return [
    { ...of, what: `${STARTING} services starting: CPU of the looks`, value: looks, goal: { atMost: 2 } },
    { ...of, what: `${STARTING} services starting: CPU of looks and probes`, value: starting - quiet },
  ];
};

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
    const lags = delays.flatMap((delay, at) => {
      const what = `ready − usable, usable after ${delay / 1000} s`;
      return [
        figureOf(`${what}, default interval (2 s)`, byDefault[at] ?? Number.NaN),
        figureOf(`${what}, interval 100 ms`, tuned[at] ?? Number.NaN),
      ];
    });
    return [...lags, ...(await costs(bench))];
  },
};
