// What a session of `sup mcp` survives: an upgrade and a death of the supervisor, and a client that sends nonsense or does
// not read.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { agentOf, codeOf, documentIn } from '../support/agent.ts';
import { eventually, holds } from '../support/eventually.ts';
import { linesCome } from '../support/marks.ts';
import { supervisorPid } from '../support/own-death.ts';
import { project, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { killOnlySupervisor } from '../support/supervisors.ts';
import { expectDone, pass, started } from '../support/witnesses.ts';

/** Stops when the file `go` is there, so that something can happen to the supervisor before. Each run is a line of `up`. */
const SLOW = shell(
  'trap "until [ -e go ]; do sleep 0.05; done; exit" TERM; echo up >>up; while :; do sleep 0.05; done',
  { stop_timeout: '2m' },
);

const stops = (stage: Stage): Promise<void> => pass(stage, { 'shop/web': 'stopping' });

/** What the supervisor has recorded of the session, such as `called status, 2 times`. */
const recorded = async (stage: Stage): Promise<readonly string[]> => {
  const { stdout } = await stage.sup('events', '--json', '--kind', 'command');
  const lines = stdout.trim().split('\n');
  const events = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  return events.flatMap(({ origin, cause, reason }) =>
    origin === 'mcp (robot)' ? [`${String(cause)} ${String(reason)}`] : [],
  );
};

const restarts = async (stage: Stage): Promise<number> =>
  (await recorded(stage)).filter((text) => text === 'requested restart shop/web').length;

scenario(
  'the session of an agent goes on after an upgrade and after kill -9 of the supervisor',
  async (stage) => {
    await started(stage, project('shop', { web: SLOW }));
    await linesCome(stage, 'up', 1);
    const agent = await agentOf(stage, 'restart:shop/web');
    const web = { services: ['shop/web'] };
    expect(documentIn(await agent.call('status'))).toMatchObject({ supervisor: { running: true } });

    const upgraded = agent.call('restart', web);
    await stops(stage);
    expectDone(await stage.sup('upgrade'));
    stage.write('go', '');
    expect(documentIn(await upgraded)).toMatchObject({
      services: [{ service: 'shop/web', what: 'restarted' }],
    });

    rmSync(join(stage.work, 'go'));
    await linesCome(stage, 'up', 2);
    const first = await supervisorPid(stage);
    const cut = agent.call('restart', web);
    await stops(stage);
    // Events are written a moment after the state has changed, so a kill at once could lose this one.
    await holds('the second restart is recorded', async () => (await restarts(stage)) === 2);
    killOnlySupervisor(stage);
    expect(codeOf(await cut)).toBe('ERR0206');
    stage.write('go', '');
    const status = documentIn(await agent.call('status'));
    const { pid } = status['supervisor'] as { readonly pid: number };
    expect([pid, pid === first]).toEqual([await supervisorPid(stage), false]);
    expect(documentIn(await agent.call('restart', web))).toMatchObject({
      services: [{ service: 'shop/web' }],
    });

    await agent.close();
    const told = await eventually({
      what: 'the record of the session',
      look: async () => {
        const events = await recorded(stage);
        return events.includes('called status') && events.length >= 5 ? events : undefined;
      },
      instead: () => recorded(stage),
    });
    expect(await restarts(stage)).toBe(3);
    expect(told.filter((text) => text.startsWith('called status'))).toHaveLength(2);
  },
);

/** Starts `sup mcp` in a session that is initialized. */
const spoken = (stage: Stage): ChildProcessWithoutNullStreams => {
  const env = { PATH: process.env['PATH'] ?? '', SUP_DATA_DIR: stage.data };
  const server = spawn(process.execPath, [resolve('dist/sup.js'), 'mcp'], { env });
  server.stdin.on('error', () => undefined);
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'robot', version: '1' },
  };
  server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })}\n`);
  return server;
};

const question = (id: unknown, method: string, params: object = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

const HOSTILE: readonly string[] = [
  '{"jsonrpc":"2.0","id":1,"meth\n',
  ...['null\n', '[]\n', `[${question(1, 'ping').trim()}]\n`, '\u0000\n', '['.repeat(400_000) + '\n'],
  ...[null, 1.5, true, {}, [1]].map((id) => question(id, 'ping')),
  ...['resources/list', 'constructor', '__proto__', ''].map((method) => question(1, method)),
  ...['constructor', '__proto__', 'toString', 7].map((name) => question(1, 'tools/call', { name })),
  question(1, 'tools/call', { name: 'status', arguments: { cursor: 'x', constructor: 1 } }),
  'x'.repeat(100 * 1024 * 1024) + '\n',
];

scenario(
  'nonsense is answered with errors, and a line of 100 MB with one that takes no memory',
  async (stage) => {
    await started(stage, project('shop', { web: steady() }));
    const server = spoken(stage);
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<Readonly<Record<string, unknown>>> =>
      JSON.parse(String((await lines.next()).value)) as Readonly<Record<string, unknown>>;
    expect(await next()).toMatchObject({ id: 0, result: {} });
    for (const line of HOSTILE) {
      server.stdin.write(line);
      const answer = await next();
      const isRefused = 'error' in answer || (answer['result'] as { isError?: boolean }).isError === true;
      expect([line.slice(0, 60), isRefused]).toEqual([line.slice(0, 60), true]);
    }
    server.stdin.end(question('last', 'ping'));
    expect(await next()).toEqual({ jsonrpc: '2.0', id: 'last', result: {} });
    expect(await once(server, 'exit')).toEqual([0, null]);
  },
);

scenario('a server whose client does not read stops reading too, and a signal ends it', async (stage) => {
  await started(stage, project('shop', { web: steady() }));
  const server = spoken(stage);
  await once(server.stdout, 'readable');
  // The answers would have hundreds of megabytes. The pipes take some of the questions, and then nothing moves.
  server.stdin.write(Array.from({ length: 40_000 }, (_, id) => question(id + 1, 'tools/list')).join(''));
  const read = (): string =>
    /rchar: (\d+)/.exec(readFileSync(`/proc/${server.pid ?? 0}/io`, 'utf8'))?.[1] ?? '';
  let before = '';
  await holds('that it stops to read', () => before === (before = read()));
  expect(server.stdin.writableLength).toBeGreaterThan(0);
  server.kill('SIGTERM');
  expect(await once(server, 'exit')).toEqual([0, null]);
});
