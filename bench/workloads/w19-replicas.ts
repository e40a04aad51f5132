// W19: one HTTP server in one, two and four processes at one port, while wrk sends requests at full speed.
// Measures requests per second, and counts failed requests while the number of processes changes and while
// all processes are replaced. The server is that of examples/rolling, which ends without cutting off a
// request.
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ensured } from '../measure/debian.ts';
import { freePort } from '../measure/free-port.ts';
import { underLoad, type Answers } from '../measure/load.ts';
import { inOwnDirectory, type Place } from '../measure/own-directory.ts';
import { repeat } from '../measure/repeat.ts';
import { median } from '../measure/statistics.ts';
import { ratio, type Figure } from '../report/figure.ts';
import type { Cluster, Tool } from '../subjects/subject.ts';
import type { Bench, Workload } from '../workload.ts';

const COUNTS = [1, 2, 4] as const;
const CONNECTIONS = 16;
const MOST = 4;

/** The server under one tool. Each tool uses its own port. */
interface Server {
  readonly name: string;
  readonly cluster: Cluster;
  readonly load: (work: () => Promise<unknown>) => Promise<Answers>;
}

const openServer = async ({ root }: Bench, tool: Tool, place: Place): Promise<Server | undefined> => {
  const port = await freePort();
  const cluster = tool.open(place).cluster?.({ argv: [join(root, 'examples/rolling/server.mjs')], port });
  const load = { url: `http://127.0.0.1:${port}/`, connections: CONNECTIONS };
  return cluster && { name: tool.name, cluster, load: (work) => underLoad(load, work) };
};

/** Measures the servers in turn, because the machine may be slower a minute later. */
const speeds = async ({ quick }: Bench, servers: readonly Server[]): Promise<ReadonlyMap<Server, number>> => {
  const [rounds, seconds] = quick ? [1, 2] : [4, 4];
  const measured = await repeat(rounds, async () => {
    const round: [Server, number][] = [];
    for (const server of servers)
      round.push([server, (await server.load(() => pause(seconds * 1000))).perSecond]);
    return new Map(round);
  });
  return new Map(
    servers.map((server) => [server, median(measured.map((round) => round.get(server) ?? Number.NaN))]),
  );
};

const speedFigures = (speed: ReadonlyMap<Server, number>, count: number): readonly Figure[] => {
  const what = `${count} ${count === 1 ? 'process' : 'processes'}: requests/s`;
  const [[, ours] = [], [peer, theirs] = []] = speed;
  const all = [...speed].map(([{ name: subject }, value]): Figure => ({ subject, what, value, unit: '/s' }));
  if (peer === undefined || ours === undefined || theirs === undefined) return all;
  const figure = { subject: 'sup', what: `${what}, to ${peer.name}`, goal: { atLeast: 1 } };
  return [...all, ratio(figure, ours, theirs)];
};

/** Within this time the last connections to a removed process end, ms. */
const AFTERWARDS_MS = 2_000;

const failuresDuring = async (
  { say }: Bench,
  { name, load }: Server,
  [what, work]: readonly [string, () => Promise<unknown>],
): Promise<readonly Figure[]> => {
  const { answered, failed, failures } = await load(async () => {
    await work();
    await pause(AFTERWARDS_MS);
  });
  for (const words of failures) say(`${name}, ${what}: ${words}`);
  return [
    { subject: name, what: `${what}: requests answered`, value: answered, unit: '' },
    {
      ...{ subject: name, what: `${what}: requests failed`, value: failed, unit: '' },
      ...(name === 'sup' && { goal: { atMost: 0 } }),
    },
  ];
};

const changes = async (bench: Bench, server: Server): Promise<readonly Figure[]> => {
  const { scale, roll } = server.cluster;
  const scaling = async (): Promise<void> => {
    for (const count of [1, MOST, 2, 3, 1, MOST]) await scale(count);
  };
  const rolling = (): Promise<unknown> => repeat(bench.quick ? 1 : 2, roll);
  return [
    ...(await failuresDuring(bench, server, ['while scaling', scaling])),
    ...(await failuresDuring(bench, server, ['while rolling', rolling])),
  ];
};

const measure = async (bench: Bench, servers: readonly Server[]): Promise<readonly Figure[]> => {
  const figures: Figure[] = [];
  for (const { cluster } of servers) await cluster.start(1);
  for (const count of COUNTS) {
    if (count > 1) for (const { cluster } of servers) await cluster.scale(count);
    figures.push(...speedFigures(await speeds(bench, servers), count));
  }
  for (const server of servers) figures.push(...(await changes(bench, server)));
  for (const { cluster } of servers) await cluster.end();
  return figures;
};

export const replicas: Workload = {
  id: 'W19',
  title: 'replicas under load',
  run: (bench) =>
    inOwnDirectory(bench.scratch, async ({ directory, environment }) => {
      await ensured({ program: 'wrk', from: 'wrk' });
      const servers: Server[] = [];
      for (const tool of bench.tools) {
        const place = { directory: await mkdtemp(join(directory, `${tool.name}-`)), environment };
        const server = await openServer(bench, tool, place);
        if (server !== undefined) servers.push(server);
      }
      return measure(bench, servers);
    }),
};
