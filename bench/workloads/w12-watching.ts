// W12: the live view with five hundred services, twenty clients and a hundred state changes per second.
// Measures the CPU use of the supervisor compared with the same load without clients, the delay until a
// change reaches a client, and the bytes per client. A change is the exit of a process: from the kill to the
// first view in which the service is not running.
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../src/client/client.ts';
import type { View } from '../../src/streams/wire/protocol.ts';
import { delaysOf, killableServices, killAll, type Kills } from '../measure/kills.ts';
import { inOwnDirectory } from '../measure/own-directory.ts';
import { percentile } from '../measure/statistics.ts';
import { openSup, type Sup } from '../subjects/sup.ts';
import type { Workload } from '../workload.ts';

const CLIENTS = 20;

interface Watcher {
  readonly client: Client;
  readonly delays: readonly number[];
  readonly bytes: () => number;
}

const watcher = async (sup: Sup, kills: Kills): Promise<Watcher> => {
  const client = await sup.connect();
  const { delays, see } = delaysOf(kills);
  let bytes = 0;
  client.onView(({ full, projects, ...rest }: View): void => {
    if (full) return;
    bytes += JSON.stringify({ full, projects, ...rest }).length;
    projects.flatMap(({ services }) => services).forEach((service) => see(service));
  });
  await client.call('watch', {});
  return { client, delays, bytes: () => bytes };
};

const rounds = async (sup: Sup, seconds: number, watchers: number) => {
  const kills: Kills = new Map();
  const all: Watcher[] = [];
  for (let at = 0; at < watchers; at += 1) all.push(await watcher(sup, kills));
  const [cpu = Number.NaN] = await killAll(sup, seconds, { kills, pids: [sup.pid()] });
  for (const { client } of all) client.close();
  return { cpu, all };
};

export const watching: Workload = {
  id: 'W12',
  title: 'watching',
  run: (bench) =>
    inOwnDirectory(bench.scratch, async (place) => {
      const seconds = bench.quick ? 5 : 30;
      const sup = openSup(bench.dist, place);
      const file = await sup.write(killableServices());
      await sup.cli(['start', '-c', file, '--daemonize', '--quiet']);
      await pause(bench.quick ? 2_000 : 12_000);
      const alone = await rounds(sup, seconds, 0);
      const watched = await rounds(sup, seconds, CLIENTS);
      await sup.end();
      const delays = watched.all.flatMap((each) => each.delays);
      const bytes = watched.all.map((each) => each.bytes() / seconds / 1024);
      const subject = 'sup';
      const cpu = { unit: '% of a core' } as const;
      return [
        { subject, what: 'CPU, nobody watches', value: alone.cpu, ...cpu },
        { subject, what: `CPU, ${CLIENTS} clients watch`, value: watched.cpu, ...cpu },
        {
          subject,
          what: 'CPU of watching',
          value: Math.max(0, watched.cpu - alone.cpu),
          ...cpu,
          goal: { atMost: 10 },
        },
        { subject, what: 'changes that were seen', value: delays.length, unit: 'changes' },
        { subject, what: 'from a change to a client, p50', value: percentile(delays, 0.5), unit: 'ms' },
        {
          subject,
          what: 'from a change to a client, p99',
          value: percentile(delays, 0.99),
          unit: 'ms',
          goal: { atMost: 250 },
        },
        { subject, what: 'told to each client', value: percentile(bytes, 0.5), unit: 'KiB/s' },
      ];
    }),
};
