// W18: one dashboard with a real page in Chromium and nineteen clients that speak as the page does, while
// five hundred services change as in W12. Measures the CPU use of the supervisor compared with the same load
// without a dashboard, the CPU use of `sup dashboard`, the delay until a change is sent to a client and until
// the page has drawn it, and the time until the page has first drawn the services.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ensured } from '../measure/debian.ts';
import { delaysOf, killableServices, killAll, type Kills } from '../measure/kills.ts';
import { inOwnDirectory, type Place } from '../measure/own-directory.ts';
import { cookieFor, openPageSocket, type PageSocket } from '../measure/page-socket.ts';
import { openRealPage, type RealPage } from '../measure/real-page.ts';
import { percentile } from '../measure/statistics.ts';
import { until } from '../measure/until.ts';
import type { Figure } from '../report/figure.ts';
import { openSup, type Sup } from '../subjects/sup.ts';
import type { Bench, Workload } from '../workload.ts';

const CLIENTS = 19;

interface Companion {
  readonly pid: number;
  /** The URL of the dashboard, with the token in its fragment. */
  readonly url: string;
}

const beginCompanion = async ({ dist }: Bench, { environment }: Place, sup: Sup): Promise<Companion> => {
  const child = spawn(process.execPath, [join(dist, 'sup.js'), 'dashboard', '--port', '0'], {
    env: { ...process.env, ...environment, SUP_DATA_DIR: sup.dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const look = (): string | undefined => /http:\/\/\S+#\S+/.exec(said)?.[0];
  const url = await until(look, { what: 'the address of the dashboard', limitMs: 20_000 });
  return { pid: child.pid ?? Number.NaN, url };
};

interface Watched {
  readonly supervisorCpu: number;
  readonly companionCpu: number;
  /** Times from a change until it is sent to a client, ms. */
  readonly delays: readonly number[];
  /** Times from a change until the page has drawn it, ms. */
  readonly drawn: readonly number[];
  readonly clientBytes: readonly number[];
  readonly firstRows: RealPage['firstRows'];
}

interface Client {
  readonly socket: PageSocket;
  readonly delays: readonly number[];
}

const openClient = async (url: string, cookie: string, kills: Kills): Promise<Client> => {
  const { delays, see } = delaysOf(kills);
  const socket = await openPageSocket({ url, cookie }, (message) => {
    if ('news' in message && 'rows' in message) message.rows.forEach((row) => see(row));
  });
  return { socket, delays };
};

const drawnDelays = async (page: RealPage, kills: Kills): Promise<readonly number[]> => {
  const { delays, see } = delaysOf(kills);
  for (const { at, rows } of await page.drawn()) for (const row of rows) see(row, at);
  return delays;
};

const watchedBy = async (sup: Sup, { url, pid }: Companion, seconds: number): Promise<Watched> => {
  const kills: Kills = new Map();
  const page = await openRealPage(url);
  try {
    const cookie = await cookieFor(url);
    const clients: Client[] = [];
    for (let at = 0; at < CLIENTS; at += 1) clients.push(await openClient(url, cookie, kills));
    const bytesBefore = clients.map(({ socket }) => socket.bytes());
    const [supervisorCpu = Number.NaN, companionCpu = Number.NaN] = await killAll(sup, seconds, {
      kills,
      pids: [sup.pid(), pid],
    });
    const clientBytes = clients.map(({ socket }, at) => socket.bytes() - (bytesBefore[at] ?? 0));
    for (const { socket } of clients) socket.close();
    return {
      ...{ supervisorCpu, companionCpu, clientBytes, firstRows: page.firstRows },
      delays: clients.flatMap((client) => client.delays),
      drawn: await drawnDelays(page, kills),
    };
  } finally {
    await page.close();
  }
};

const figures = (aloneCpu: number, watched: Watched, seconds: number): readonly Figure[] => {
  const subject = 'sup';
  const cpu = { subject, unit: '% of a core' };
  const delay = { subject, unit: 'ms' };
  const { supervisorCpu, companionCpu, delays, drawn, clientBytes, firstRows } = watched;
  const cost = Math.max(0, supervisorCpu - aloneCpu);
  return [
    { ...cpu, what: 'supervisor, no dashboard', value: aloneCpu },
    { ...cpu, what: 'supervisor, with a dashboard', value: supervisorCpu },
    { ...cpu, what: 'supervisor, cost of the dashboard', value: cost, goal: { atMost: 10 } },
    { ...cpu, what: `dashboard, a page and ${CLIENTS} clients`, value: companionCpu },
    { subject, what: 'changes that clients were sent', value: delays.length, unit: 'changes' },
    { ...delay, what: 'from a change to a client, p50', value: percentile(delays, 0.5) },
    {
      ...delay,
      what: 'from a change to a client, p99',
      value: percentile(delays, 0.99),
      goal: { atMost: 400 },
    },
    { subject, what: 'changes that the page has drawn', value: drawn.length, unit: 'changes' },
    { ...delay, what: 'from a change until the page has drawn it, p50', value: percentile(drawn, 0.5) },
    {
      ...{ ...delay, what: 'from a change until the page has drawn it, p99' },
      ...{ value: percentile(drawn, 0.99), goal: { atMost: 400 } },
    },
    { ...delay, what: 'until the script of the page connects', value: firstRows.connects },
    { ...delay, what: 'until the page has received the services', value: firstRows.received },
    {
      ...{ ...delay, what: 'until the page has drawn the services' },
      ...{ value: firstRows.drawn, goal: { atMost: 1_000 } },
    },
    {
      ...{ subject, what: 'sent to each client', unit: 'KiB/s' },
      value: percentile(clientBytes, 0.5) / seconds / 1024,
    },
  ];
};

export const dashboards: Workload = {
  id: 'W18',
  title: 'dashboards',
  run: (bench) =>
    inOwnDirectory(bench.scratch, async (place) => {
      await ensured({ program: 'chromium', from: 'chromium' });
      const seconds = bench.quick ? 5 : 30;
      const sup = openSup(bench.dist, place);
      const file = await sup.write(killableServices());
      await sup.cli(['start', '-c', file, '--daemonize', '--quiet']);
      await pause(bench.quick ? 2_000 : 12_000);
      const [aloneCpu = Number.NaN] = await killAll(sup, seconds, { kills: new Map(), pids: [sup.pid()] });
      const watched = await watchedBy(sup, await beginCompanion(bench, place, sup), seconds);
      await sup.end();
      return figures(aloneCpu, watched, seconds);
    }),
};
