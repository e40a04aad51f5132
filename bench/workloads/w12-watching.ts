// W12: the live view with five hundred services, twenty clients and a hundred state changes per second.
// Measures the CPU use of the supervisor compared with the same load without clients, the delay until a
// change reaches a client, and the bytes per client. A change is the exit of a process: from the kill to the
// first view in which the service is not running.
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../src/client/client.ts';
import type { View } from '../../src/streams/wire/protocol.ts';
import { inOwnDirectory } from '../measure/own-directory.ts';
import { cpuOf } from '../measure/processes.ts';
import { percentile } from '../measure/statistics.ts';
import { projectOf } from '../subjects/manifest.ts';
import { openSup, type Sup } from '../subjects/sup.ts';
import type { Workload } from '../workload.ts';

const SERVICES = 500;
const CLIENTS = 20;
/** State changes that each exit causes: exit, backoff, start, running. */
const CHANGES_EACH = 4;
const CHANGES_A_SECOND = 100;

const manifest = (): string => {
  const service = {
    exec: ['/bin/sleep', '3600'],
    restart_policy: 'always',
    backoff: '1s',
    max_restarts: 100_000,
  };
  return projectOf(Object.fromEntries(Array.from({ length: SERVICES }, (_, at) => [`s${at}`, service])));
};

interface Watcher {
  readonly client: Client;
  readonly delays: readonly number[];
  readonly bytes: () => number;
}

/** For each service: when its process was killed, and the pid. */
type Struck = ReadonlyMap<string, { readonly at: number; readonly pid: number }>;

const watcher = async (sup: Sup, struck: Struck): Promise<Watcher> => {
  const client = await sup.connect();
  const delays: number[] = [];
  const told = new Map<string, number>();
  let bytes = 0;
  const see = ({ full, projects, ...rest }: View): void => {
    if (full) return;
    bytes += JSON.stringify({ full, projects, ...rest }).length;
    for (const { name, pid, state } of projects.flatMap(({ services }) => services)) {
      const blow = struck.get(name);
      if (blow === undefined || told.get(name) === blow.at) continue;
      if (pid === blow.pid && state === 'running') continue;
      told.set(name, blow.at);
      delays.push(performance.now() - blow.at);
    }
  };
  client.onView(see);
  await client.call('watch', {});
  return { client, delays, bytes: () => bytes };
};

const pidsOf = async (sup: Sup): Promise<ReadonlyMap<string, number>> => {
  const client = await sup.connect();
  const { projects } = await client.call('status', {});
  client.close();
  return new Map(
    projects.flatMap(({ services }) =>
      services.flatMap(({ name, pid }) => (pid === null ? [] : [[name, pid] as const])),
    ),
  );
};

const strike = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process was killed in the previous round, and the new one has not been reported yet.
  }
};

/**
 * Kills one process after the other at a constant rate. Resolves to the supervisor's CPU use during this
 * time, in percent of one core.
 */
const strikeAll = async (
  sup: Sup,
  seconds: number,
  struck: Map<string, { readonly at: number; readonly pid: number }>,
): Promise<number> => {
  const gap = (1_000 * CHANGES_EACH) / CHANGES_A_SECOND;
  const targets = [...(await pidsOf(sup))].slice(0, Math.floor((seconds * 1_000) / gap));
  const [began, before] = [performance.now(), cpuOf(sup.pid())];
  for (const [at, [name, pid]] of targets.entries()) {
    await pause(Math.max(0, began + at * gap - performance.now()));
    struck.set(name, { at: performance.now(), pid });
    strike(pid);
  }
  await pause(1_500);
  return ((cpuOf(sup.pid()) - before) / (performance.now() - began)) * 100;
};

/** Maximum length of a round, s, so that each service is killed at most once in it. */
const MOST_SECONDS = (SERVICES * CHANGES_EACH) / CHANGES_A_SECOND;

const rounds = async (sup: Sup, seconds: number, watchers: number) => {
  const struck = new Map<string, { readonly at: number; readonly pid: number }>();
  const all: Watcher[] = [];
  for (let at = 0; at < watchers; at += 1) all.push(await watcher(sup, struck));
  const cpu: number[] = [];
  for (let left = seconds; left > 0; left -= MOST_SECONDS)
    cpu.push(await strikeAll(sup, Math.min(left, MOST_SECONDS), struck));
  for (const { client } of all) client.close();
  return { cpu: cpu.reduce((sum, each) => sum + each, 0) / cpu.length, all, ends: struck.size };
};

export const watching: Workload = {
  id: 'W12',
  title: 'watching',
  run: (bench) =>
    inOwnDirectory(bench.scratch, async (place) => {
      const seconds = bench.quick ? 5 : 30;
      const sup = openSup(bench.dist, place);
      const file = await sup.write(manifest());
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
