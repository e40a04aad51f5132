import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { connect as dial, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { connect, type Client } from '../../../src/client/client.ts';
import { controlServer } from '../../../src/sources/control/server.ts';
import { idOf } from '../../support/spec.ts';
import { runId } from '../../../src/streams/domain/ids.ts';
import { resultOf } from '../../../src/streams/wire/messages.ts';
import type { ControlServer, Incoming } from '../../../src/streams/wire/control-ports.ts';
import { PROTOCOL } from '../../../src/streams/wire/protocol.ts';
import { listen } from '../../support/listen.ts';

let directory: string;
let server: ControlServer;
let heard: Incoming[];
/** Of every connection that is made from now on. */
let uid: number | undefined;

/** The uid of the supervisor, which has eight times the limits. */
const OWN = 50;

const door = (): string => join(directory, 'door.sock');

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'door-'));
  const hello = { protocol: PROTOCOL, version: '0', pid: process.pid, since: '2026-01-01T00:00:00.000Z' };
  server = controlServer({ socketPath: join(directory, 'control.sock'), hello });
  heard = [];
  listen(server.incoming$, (incoming) => {
    heard.push(incoming);
    const child = { service: idOf('web'), name: 'a', run: runId(2), pid: 7, depth: 1 };
    server.send(incoming.client, resultOf(incoming.request.id, { outcomes: [], warnings: [], child }));
  });
  await server.listen();
  uid = 33;
  await server.openServiceSocket(door(), {
    own: OWN,
    uidOf: () => uid,
    admits: (one) => one < 100,
    mode: 0o666,
  });
});
/** The server sees the end of the connection before a moment later. */
const eventuallyConnected = async (): Promise<Client> => {
  for (let tries = 0; tries < 50; tries += 1) {
    const client = await connect(directory, { path: door() }).catch(() => undefined);
    if (client !== undefined) return client;
    await pause(100);
  }
  throw new Error('never admitted');
};

afterEach(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

const SPAWN = { type: 'spawn', order: { argv: ['a'] } } as const;

/** A connection that sends nothing; settles with what it was sent when it is over, or is `open` after a while. */
const silent = (): { readonly line: Socket; readonly fate: (wait?: number) => Promise<string> } => {
  const line = dial(door());
  let text = '';
  line.on('data', (data) => (text += data.toString())).on('error', () => undefined);
  const over = once(line, 'close').then(() => `closed:${text}`);
  return { line, fate: (wait = 5_000) => Promise.race([over, pause(wait, 'open')]) };
};

const asking = (): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket('ws://localhost/', { createConnection: () => dial(door()) });
    socket.once('message', () => resolve(socket)).once('error', reject);
  });

describe('the service socket', () => {
  it('a connection of another uid is closed when accepted, without a byte', async () => {
    for (uid of [100, undefined]) expect(await silent().fate()).toBe('closed:');
  });

  it('eight connections of one uid are accepted, whatever another uid has', async () => {
    const held = Array.from({ length: 8 }, silent);
    await Promise.all(held.map(({ line }) => once(line, 'connect')));
    expect(await silent().fate()).toBe('closed:');
    uid = 34;
    const other = await connect(directory, { path: door() });
    await other.call('command', SPAWN);
    other.close();
    uid = 33;
    held[0]?.line.destroy();
    const freed = await eventuallyConnected();
    freed.close();
    expect(await held[1]?.fate(1)).toBe('open');
    held.forEach(({ line }) => line.destroy());
  });

  it('the uid of the supervisor, which services share, has eight times as many connections', async () => {
    uid = OWN;
    const held = Array.from({ length: 64 }, silent);
    await Promise.all(held.map(({ line }) => once(line, 'connect')));
    expect(await silent().fate()).toBe('closed:');
    expect(await held[63]?.fate(1)).toBe('open');
    held.forEach(({ line }) => line.destroy());
  });

  it('one uid may send twenty requests a second over all its connections', async () => {
    const [one, other] = [await asking(), await asking()];
    const text = (id: number): string => JSON.stringify({ jsonrpc: '2.0', id, method: 'status', params: {} });
    for (let id = 1; id <= 12; id += 1) one.send(text(id));
    for (let id = 13; id <= 100; id += 1) other.send(text(id));
    const [code] = (await once(other, 'close')) as [number];
    expect(code).toBe(1013);
    expect(one.readyState).toBe(WebSocket.OPEN);
    one.terminate();
  });

  it('pings count as requests', async () => {
    const socket = await asking();
    for (let ping = 0; ping < 100; ping += 1) socket.ping();
    await once(socket, 'close');
  });

  it('a client that does not read its answers is disconnected', async () => {
    const client = await asking();
    const left = new Promise((resolve) => listen(server.left$, resolve));
    client.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'command', params: SPAWN }));
    await once(client, 'message');
    client.pause();
    const [to] = heard;
    const line = resultOf(1, { outcomes: [], warnings: ['x'.repeat(60_000)] });
    // The kernel takes a few hundred KiB; an ordinary client is cut off above 1 MiB beyond these.
    for (let sent = 0; sent < 12; sent += 1) server.send(to?.client ?? '', line);
    await left;
    client.terminate();
  });

  it('the greeting has the protocol version and nothing else', async () => {
    const client = await connect(directory, { path: door() });
    expect(client.hello).toEqual({ protocol: PROTOCOL, version: '', pid: 0, since: '' });
    client.close();
  });
});

describe('the path of the service socket', () => {
  it('every user can connect to the service socket, and it is gone with the server', async () => {
    expect((await stat(door())).mode & 0o777).toBe(0o666);
    await server.close();
    await expect(stat(door())).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('a removed service socket is opened again, and its connections stay', async () => {
    const before = await connect(directory, { path: door() });
    await rm(door());
    await server.mend();
    expect((await stat(door())).mode & 0o777).toBe(0o666);
    const after = await connect(directory, { path: door() });
    for (const client of [before, after]) {
      await client.call('command', { type: 'spawn', order: { argv: ['a'] } });
      client.close();
    }
  });

  it('the service socket accepts one method only', async () => {
    const client = await connect(directory, { path: door() });
    const { child } = await client.call('command', { type: 'spawn', order: { argv: ['a'] } });
    expect(child).toMatchObject({ name: 'a' });
    await expect(client.call('status', {})).rejects.toThrow('accepts only spawn and event');
    await expect(client.call('command', { type: 'shutdown' })).rejects.toThrow('accepts only spawn');
    client.close();
    expect(heard.map(({ request }) => request.method)).toEqual(['command']);
  });

  it('the service socket identifies its peer like the control socket', async () => {
    const clients = await Promise.all([connect(directory, { path: door() }), connect(directory)]);
    for (const client of clients) await client.call('command', { type: 'spawn', order: { argv: ['a'] } });
    const descriptors = heard.map(({ client }) => server.connectionOf(client)?.descriptor);
    expect(new Set(descriptors).size).toBe(2);
    expect(descriptors.every((descriptor) => (descriptor ?? -1) > 2)).toBe(true);
    expect(server.connectionOf('nobody')).toBeUndefined();
    clients.forEach((client) => client.close());
  });
});
