import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../../../src/cli/client/client.ts';
import { doorPlace } from '../../../src/sources/control/door.ts';
import { controlServer } from '../../../src/sources/control/server.ts';
import { idOf } from '../../support/spec.ts';
import { runId } from '../../../src/streams/domain/ids.ts';
import { resultOf } from '../../../src/streams/wire/messages.ts';
import type { ControlServer, Incoming } from '../../../src/streams/wire/ports.ts';
import { PROTOCOL } from '../../../src/streams/wire/protocol.ts';
import { listen } from '../../support/listen.ts';

let directory: string;
let server: ControlServer;
let heard: Incoming[];

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
  await server.openDoor(door());
});
afterEach(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

describe('the door', () => {
  it('is open to everybody, and gone with the server', async () => {
    expect((await stat(door())).mode & 0o777).toBe(0o666);
    await server.close();
    await expect(stat(door())).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is opened again where its path was removed, and who stands in it stays', async () => {
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

  it('lets one question through, and none beside it', async () => {
    const client = await connect(directory, { path: door() });
    const { child } = await client.call('command', { type: 'spawn', order: { argv: ['a'] } });
    expect(child).toMatchObject({ name: 'a' });
    await expect(client.call('status', {})).rejects.toThrow('nothing but spawn is heard here');
    await expect(client.call('command', { type: 'shutdown' })).rejects.toThrow('nothing but spawn');
    client.close();
    expect(heard.map(({ request }) => request.method)).toEqual(['command']);
  });

  it('knows the connection as well as the other socket does', async () => {
    const clients = await Promise.all([connect(directory, { path: door() }), connect(directory)]);
    for (const client of clients) await client.call('command', { type: 'spawn', order: { argv: ['a'] } });
    const descriptors = heard.map(({ client }) => server.connectionOf(client)?.descriptor);
    expect(new Set(descriptors).size).toBe(2);
    expect(descriptors.every((descriptor) => (descriptor ?? -1) > 2)).toBe(true);
    expect(server.connectionOf('nobody')).toBeUndefined();
    clients.forEach((client) => client.close());
  });

  it('has a place of its own for each data directory', () => {
    expect(doorPlace('/a')).not.toBe(doorPlace('/b'));
    expect(doorPlace('/a')).toMatch(/^\/run\/sup-spawn-[0-9a-f]{16}\.sock$/);
  });
});
