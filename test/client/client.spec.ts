import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { ClientFailure } from '../../src/client/client-failure.ts';
import { connect, type Client } from '../../src/client/client.ts';
import { controlServer } from '../../src/sources/control/server.ts';
import { prepareSocketPlace } from '../../src/sources/control/socket-place.ts';
import { layoutOf } from '../../src/streams/wire/layout.ts';
import { failureOf, resultOf, viewOf } from '../../src/streams/wire/messages.ts';
import type { ControlServer } from '../../src/streams/wire/control-ports.ts';
import { PROTOCOL, type Hello, type View } from '../../src/streams/wire/protocol.ts';
import { listen } from '../support/listen.ts';
import { turns } from '../support/turns.ts';

const HELLO: Hello = { protocol: PROTOCOL, version: '0.0.0', pid: 4711, since: '2026-01-01T00:00:00.000Z' };

let dataDir: string;
const cleanups: (() => unknown)[] = [];

const socketPath = (): string => layoutOf(dataDir).socket;

const serve = async (hello: Hello = HELLO, path = socketPath()): Promise<ControlServer> => {
  const server = controlServer({ socketPath: path, hello });
  await server.listen();
  cleanups.push(() => server.close());
  return server;
};

/** What a call or a connection that must fail failed with. */
const failureIn = async (promise: Promise<unknown>): Promise<ClientFailure> => {
  const outcome: unknown = await promise.catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(ClientFailure);
  if (!(outcome instanceof ClientFailure)) throw new Error('no failure');
  return outcome;
};
const codeOf = async (promise: Promise<unknown>): Promise<string> => (await failureIn(promise)).document.code;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sup-client-'));
});
afterEach(async () => {
  vi.useRealTimers();
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  await rm(dataDir, { recursive: true });
});

describe('connecting to a supervisor', () => {
  it('connecting fails with ERR0206 without a socket', async () => {
    const failure = await failureIn(connect(dataDir));
    expect(failure.error).toEqual({ code: 'ERR0206', dataDir });
    expect(failure.message).toContain(dataDir);
  });

  it('connecting fails with ERR0206 if the socket is a leftover', async () => {
    await writeFile(socketPath(), '');
    expect(await codeOf(connect(dataDir))).toBe('ERR0206');
  });

  it('connecting fails with ERR0206 if the listener hangs up', async () => {
    const rude: Server = createServer((socket) => socket.destroy()).listen(socketPath());
    await once(rude, 'listening');
    cleanups.push(() => rude.close());
    expect(await codeOf(connect(dataDir))).toBe('ERR0206');
  });

  it('connecting fails with ERR0205 and the pid if a stopped supervisor says nothing', async () => {
    const program = `require('net').createServer(() => {}).listen(process.argv[1], () => console.log('up'))`;
    const child: ChildProcess = spawn(process.execPath, ['-e', program, socketPath()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    cleanups.push(async () => {
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    });
    await once(child.stdout ?? child, 'data');
    child.kill('SIGSTOP');
    await writeFile(layoutOf(dataDir).pid, `${child.pid}\n`);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const silent = failureIn(connect(dataDir));
    await turns();
    vi.advanceTimersByTime(5_000);
    const failure = await silent;
    expect(failure.error).toEqual({ code: 'ERR0205', pid: child.pid, waited: 5_000 });
    expect(failure.document.hint).toContain(`kill -CONT ${child.pid}`);
  });

  it('connecting refuses a supervisor with another protocol version and names it', async () => {
    await serve({ ...HELLO, protocol: PROTOCOL + 1, version: '9.9.9' });
    const failure = await failureIn(connect(dataDir));
    expect(failure.document).toMatchObject({ code: 'ERR0205' });
    expect(failure.message).toContain('9.9.9');
    expect(failure.document.hint).toContain('sup upgrade');
    const client = await connect(dataDir, { anyProtocol: true });
    expect(client.hello.version).toBe('9.9.9');
    client.close();
  });

  it('connecting finds the socket of a data directory with a long or unusual path', async () => {
    const home = dataDir;
    dataDir = join(home, `an odd: ${'x'.repeat(100)} #%?`);
    await mkdir(dataDir, { recursive: true });
    const layout = layoutOf(dataDir);
    const path = await prepareSocketPlace({ layout, runtimeDir: home, uid: process.getuid?.() ?? 0 });
    expect(path).not.toBe(layout.socket);
    await serve(HELLO, path);
    const client = await connect(dataDir);
    expect(client.hello.pid).toBe(4711);
    client.close();
    dataDir = join(home, 'short: #%? path');
    await mkdir(dataDir);
    await serve();
    const other = await connect(dataDir);
    other.close();
    await Promise.all([client.ended, other.ended]);
    dataDir = home;
  });
});

describe('a client', () => {
  it('a client gets the result of its own call, in whatever order answers arrive', async () => {
    const server = await serve();
    const asked: { client: string; id: number }[] = [];
    cleanups.push(() => subscription.unsubscribe());
    const subscription = listen(server.incoming$, ({ client, request }) => {
      asked.push({ client, id: request.id });
      if (asked.length < 2) return;
      for (const { client: to, id } of asked.reverse())
        server.send(to, resultOf(id, { outcomes: [], warnings: [String(id)] }));
    });
    const client = await connect(dataDir);
    const results = await Promise.all([
      client.call('command', { type: 'apply', selection: {} }),
      client.call('command', { type: 'shutdown' }),
    ]);
    expect(results.map(({ warnings }) => warnings)).toEqual([['1'], ['2']]);
    client.close();
    expect(await client.ended).toBeUndefined();
  });

  it('a client fails with the error document of the supervisor', async () => {
    const server = await serve();
    const document = { code: 'ERR0202', message: 'no such thing', path: 'x', at: null, hint: null } as const;
    const subscription = listen(server.incoming$, ({ client, request }) =>
      server.send(client, failureOf(request.id, document)),
    );
    cleanups.push(() => subscription.unsubscribe());
    const client = await connect(dataDir);
    expect((await failureIn(client.call('status', {}))).document).toEqual(document);
    client.close();
  });

  it('a client gives up on a command after its time limit with ERR0111, and on a query with ERR0205', async () => {
    await serve();
    const client = await connect(dataDir);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const start = { type: 'start', selection: {} } as const;
    const command = failureIn(client.call('command', start, { timeoutMs: 900_000 }));
    const question = failureIn(client.call('status', {}));
    vi.advanceTimersByTime(5_000);
    expect((await question).error).toEqual({ code: 'ERR0205', pid: 4711, waited: 5_000 });
    vi.advanceTimersByTime(895_000);
    expect((await command).error).toEqual({ code: 'ERR0111', command: 'start', waited: 900_000 });
    client.close();
  });

  it('a client fails present and later calls with ERR0206 when the supervisor goes', async () => {
    const server = await serve();
    const client = await connect(dataDir);
    const calls = [client.call('command', { type: 'apply', selection: {} }), client.call('status', {})].map(
      codeOf,
    );
    await server.close();
    expect(await Promise.all(calls)).toEqual(['ERR0206', 'ERR0206']);
    expect(await codeOf(client.call('status', {}))).toBe('ERR0206');
    expect((await client.ended)?.document.code).toBe('ERR0206');
  });

  it.each([
    ['a command', 'apply', (client: Client) => client.call('command', { type: 'apply', selection: {} })],
    ['an upgrade', 'upgrade', (client: Client) => client.call('upgrade', { node: '/n', program: '/p' })],
    ['a purge', 'purge', (client: Client) => client.call('purge', { kinds: ['logs'] })],
  ] as const)(
    'a client says that the outcome of %s is unknown when the supervisor goes',
    async (_, command, ask) => {
      const server = await serve();
      const failure = failureIn(ask(await connect(dataDir)));
      await server.close();
      expect((await failure).error).toEqual({ code: 'ERR0206', dataDir, command });
    },
  );

  it('a client receives views until it stops listening', async () => {
    const server = await serve();
    const view: View = { full: true, projects: [], gone: ['shop/web'] };
    const subscription = listen(server.incoming$, ({ client, request }) => {
      server.send(client, viewOf(view));
      server.send(client, resultOf(request.id, { watching: true }));
    });
    cleanups.push(() => subscription.unsubscribe());
    const client = await connect(dataDir);
    const views: View[] = [];
    const stop = client.onView((heard) => views.push(heard));
    await client.call('watch', {});
    stop();
    await client.call('watch', {});
    expect(views).toEqual([view]);
    client.close();
  });

  it('a client notices a supervisor that falls silent during a command', async () => {
    const sockets = new Set<WebSocket>();
    const server = new WebSocketServer({ noServer: true, autoPong: false });
    const http = (await import('node:http')).createServer();
    http.on('upgrade', (request, socket, head) =>
      server.handleUpgrade(request, socket, head, (accepted) => {
        sockets.add(accepted);
        accepted.send(JSON.stringify({ jsonrpc: '2.0', method: 'hello', params: HELLO }));
      }),
    );
    http.listen(socketPath());
    await once(http, 'listening');
    cleanups.push(() => {
      sockets.forEach((socket) => socket.terminate());
      http.close();
    });
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const client = await connect(dataDir);
    const call = codeOf(client.call('command', { type: 'apply', selection: {} }));
    vi.advanceTimersByTime(20_000);
    const early = await Promise.race([call, turns().then(() => 'waiting')]);
    vi.advanceTimersByTime(5_000);
    expect([early, await call]).toEqual(['waiting', 'ERR0205']);
  });
});
