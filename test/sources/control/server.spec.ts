import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { connect as connectSocket, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Subscription } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connect } from '../../../src/client/client.ts';
import { controlServer } from '../../../src/sources/control/server.ts';
import { helloOf, resultOf } from '../../../src/streams/wire/messages.ts';
import type { ControlServer, Incoming } from '../../../src/streams/wire/control-ports.ts';
import { MAX_FRAME, PROTOCOL, type Hello } from '../../../src/streams/wire/protocol.ts';
import { WebSocket } from 'ws';
import { listen } from '../../support/listen.ts';
import { PATIENT } from '../../support/patience.ts';

const HELLO: Hello = {
  protocol: PROTOCOL,
  version: '0.0.0',
  pid: process.pid,
  since: '2026-01-01T00:00:00.000Z',
};

let dataDir: string;
let server: ControlServer;
let subscriptions: Subscription;

const socketPath = (): string => join(dataDir, 'control.sock');

const serve = async (more: { readonly most?: number } = {}): Promise<Incoming[]> => {
  const heard: Incoming[] = [];
  server = controlServer({ socketPath: socketPath(), hello: HELLO, ...more });
  subscriptions.add(listen(server.incoming$, (incoming) => heard.push(incoming)));
  await server.listen();
  return heard;
};

/** Every request is answered at once. */
const answerAll = (): void => {
  subscriptions.add(
    listen(server.incoming$, ({ client, request }) =>
      server.send(client, resultOf(request.id, { watching: true })),
    ),
  );
};

const rawClient = async (): Promise<WebSocket> => {
  const socket = new WebSocket('ws://localhost/', {
    createConnection: () => connectSocket(socketPath()),
    perMessageDeflate: false,
  });
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('message', resolve));
  return socket;
};

const closeCode = (socket: WebSocket): Promise<number> =>
  new Promise((resolve) => socket.once('close', resolve));

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sup-server-'));
  subscriptions = new Subscription();
});

afterEach(async () => {
  subscriptions.unsubscribe();
  await server.close();
  await rm(dataDir, { recursive: true });
});

describe('the control server', () => {
  it('a client beyond the limit is told that there is no room, until another one has gone', async () => {
    await serve({ most: 2 });
    const clients = [await connect(dataDir), await connect(dataDir)];
    await expect(connect(dataDir)).rejects.toMatchObject({
      document: {
        code: 'ERR0205',
        message: 'the supervisor has as many clients as it takes, and turned this one away',
      },
    });
    clients[0]?.close();
    await clients[0]?.ended;
    clients[0] = await connect(dataDir);
    clients.forEach((client) => client.close());
  });

  it('a client is greeted and its requests arrive', async () => {
    const heard = await serve();
    answerAll();
    const client = await connect(dataDir);
    expect(client.hello).toEqual(HELLO);
    await client.call('watch', { projects: ['shop'] });
    expect(heard.map(({ request }) => request)).toEqual([
      { id: 1, method: 'watch', params: { projects: ['shop'] } },
    ]);
    client.close();
    await client.ended;
  });

  it('connections that are idle can be handed over, and none with a partial message or handshake', async () => {
    await serve();
    answerAll();
    const client = await connect(dataDir);
    await client.call('watch', {});
    await vi.waitFor(() => expect(server.handed()).toMatchObject({ whole: true, clients: [{}] }), PATIENT);
    const dialling = connectSocket(socketPath());
    dialling.write('GET / HTTP/1.1\r\n');
    await vi.waitFor(() => expect(server.handed()).toMatchObject({ whole: false, clients: [{}] }), PATIENT);
    dialling.destroy();
    await vi.waitFor(() => expect(server.handed().whole).toBe(true), PATIENT);
    const raw = await rawClient();
    // The head of a frame of five bytes, and two of them.
    (Reflect.get(raw, '_socket') as Socket).write(Buffer.from([0x81, 0x85, 1, 2, 3, 4, 5, 6]));
    await vi.waitFor(() => expect(server.handed()).toMatchObject({ whole: false, clients: [{}] }), PATIENT);
    raw.terminate();
    client.close();
  });

  it('the control socket is for its owner only', async () => {
    await serve();
    expect((await stat(socketPath())).mode & 0o777).toBe(0o600);
  });

  it('a stale socket file is replaced, and none is left at the end', async () => {
    await writeFile(socketPath(), 'left over');
    await serve();
    const client = await connect(dataDir);
    client.close();
    await server.close();
    await expect(stat(socketPath())).rejects.toThrow('ENOENT');
  });

  it('a removed control socket is opened again, and its connections stay', async () => {
    await serve();
    answerAll();
    const before = await connect(dataDir);
    await server.mend();
    await rm(socketPath());
    await server.mend();
    const after = await connect(dataDir);
    const question = [{}] as const;
    expect(await before.call('watch', ...question)).toEqual({ watching: true });
    expect(await after.call('watch', ...question)).toEqual({ watching: true });
    before.close();
    after.close();
  });

  it('a closed connection is reported', async () => {
    const gone: string[] = [];
    const heard = await serve();
    answerAll();
    subscriptions.add(listen(server.left$, (client) => gone.push(client)));
    const client = await connect(dataDir);
    await client.call('status', {});
    client.close();
    await vi.waitFor(() => expect(gone).toEqual([heard[0]?.client]), PATIENT);
  });

  it('two hundred clients are served at once', async () => {
    await serve();
    answerAll();
    const clients = await Promise.all(Array.from({ length: 200 }, () => connect(dataDir)));
    const results = await Promise.all(clients.map((client) => client.call('watch', {})));
    expect(results).toHaveLength(200);
    clients.forEach((client) => client.close());
  });

  it.each([
    ['not JSON', 'gibberish', 1008],
    ['binary', Buffer.from([1, 2, 3]), 1008],
    ['no id', '{"jsonrpc":"2.0","method":"status"}', 1008],
    ['too large', 'x'.repeat(MAX_FRAME + 1), 1009],
  ])('a client with a frame that is %s is disconnected, and no other', async (_, frame, code) => {
    const heard = await serve();
    answerAll();
    const good = await connect(dataDir);
    const bad = await rawClient();
    const closed = closeCode(bad);
    bad.send(frame);
    expect(await closed).toBe(code);
    await expect(good.call('status', {})).resolves.toEqual({ watching: true });
    expect(heard).toHaveLength(1);
    good.close();
  });

  it('an endless fragmented frame is refused', async () => {
    await serve();
    const endless = await rawClient();
    const closed = closeCode(endless);
    const part = 'x'.repeat(1024 * 1024);
    for (let sent = 0; sent <= MAX_FRAME; sent += part.length) endless.send(part, { fin: false });
    expect(await closed).toBe(1009);
  });

  it('invalid parameters are refused, and the client stays connected', async () => {
    await serve();
    const client = await rawClient();
    const answer = new Promise((resolve) =>
      client.once('message', (data: Buffer) => resolve(JSON.parse(data.toString()))),
    );
    client.send('{"jsonrpc":"2.0","id":3,"method":"status","params":{"manifest":7}}');
    expect(await answer).toEqual({
      jsonrpc: '2.0',
      id: 3,
      error: { code: -32602, message: 'params.manifest: 7 is not a string' },
    });
    expect(client.readyState).toBe(WebSocket.OPEN);
    client.terminate();
  });

  it('a client that never reads is disconnected, and others are served', async () => {
    const gone: string[] = [];
    const heard = await serve();
    subscriptions.add(listen(server.left$, (client) => gone.push(client)));
    const lazy = await rawClient();
    lazy.send('{"jsonrpc":"2.0","id":1,"method":"watch","params":{}}');
    await vi.waitFor(() => expect(heard).toHaveLength(1), PATIENT);
    lazy.pause();
    const client = heard[0]?.client ?? '';
    const view = helloOf({ ...HELLO, version: 'x'.repeat(1024 * 1024) });
    for (let sent = 0; sent < 40; sent += 1) server.send(client, view);
    await vi.waitFor(() => expect(gone).toEqual([client]), PATIENT);
    const other = await connect(dataDir);
    expect(other.hello.pid).toBe(process.pid);
    other.close();
    lazy.terminate();
  });

  it('a client counts as slow until it has read what was sent', async () => {
    const heard = await serve();
    const lazy = await rawClient();
    lazy.send('{"jsonrpc":"2.0","id":1,"method":"watch","params":{}}');
    await vi.waitFor(() => expect(heard).toHaveLength(1), PATIENT);
    const client = heard[0]?.client ?? '';
    expect([server.keepsUp(client), server.keepsUp('nobody')]).toEqual([true, true]);
    lazy.pause();
    for (let sent = 0; sent < 3; sent += 1)
      server.send(client, helloOf({ ...HELLO, version: 'x'.repeat(1024 * 1024) }));
    expect(server.keepsUp(client)).toBe(false);
    lazy.resume();
    await vi.waitFor(() => expect(server.keepsUp(client)).toBe(true), PATIENT);
    lazy.terminate();
  });

  it('the server closes even if a client neither reads nor disconnects', async () => {
    await serve();
    const silent: Socket = connectSocket(socketPath());
    await new Promise((resolve) => silent.once('connect', resolve));
    const lazy = await rawClient();
    lazy.pause();
    await server.close();
    await expect(connect(dataDir)).rejects.toMatchObject({ document: { code: 'ERR0206' } });
    silent.destroy();
    lazy.terminate();
  });
});
