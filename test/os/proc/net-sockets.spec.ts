import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createConnection, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  inodesAtPath,
  isSocketOf,
  listenersOn,
  listeningSockets,
  listenTable,
  plainAddress,
  socketOf,
  tcpCountReader,
} from '../../../src/os/proc/net-sockets.ts';

const TABLE = [
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
  '   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0 100 0 0 10 0',
  '   1: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4712 1 0 100 0 0 10 0',
  '   2: 0100007F:1F90 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 4713 1 0 20 4 30 10 -1',
  '   3: 0100007F:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4714 1 0 100 0 0 10 0',
  '   0: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A 0:0 00:00000000 00000000  1000        0 4715 1 0 100 0 0 10 0',
  '   1: 00000000000000000000000001000000:1F90 00000000000000000000000000000000:0000 0A 0:0 00:00000000 00000000  1000        0 4716 1 0 100 0 0 10 0',
  '   2: 0000000000000000FFFF00000100007F:1F90 00000000000000000000000000000000:0000 0A 0:0 00:00000000 00000000  1000        0 4717 1 0 100 0 0 10 0',
].join('\n');

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

const listening = async (host: string): Promise<{ readonly port: number; readonly server: Server }> => {
  const server = createServer().listen(0, host);
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, server };
};

describe('all listening sockets', () => {
  it.each(['127.0.0.1', '::1', '::'])('a socket that listens on %s is seen by its port', async (host) => {
    const { port } = await listening(host);
    const inodes = listeningSockets()?.get(port) ?? [];
    expect(inodes).toHaveLength(1);
    expect(socketOf(process.pid, new Set(inodes))).toBeDefined();
  });

  it('a connected socket is not seen as a listening one, and a closed one not at all', async () => {
    const { port, server } = await listening('127.0.0.1');
    const client = createConnection(port, '127.0.0.1');
    await once(client, 'connect');
    expect(listeningSockets()?.get(port)).toHaveLength(1);
    expect(listeningSockets()?.has((client.address() as AddressInfo).port)).toBe(false);
    client.destroy();
    server.close();
    expect(listeningSockets()?.has(port)).toBe(false);
  });

  it('the count of sockets in use is a text with the counts of both families, at every read', () => {
    const read = tcpCountReader();
    const counts = /^TCP: inuse \d+,TCP6: inuse \d+$/;
    expect([read(), read()]).toEqual([expect.stringMatching(counts), expect.stringMatching(counts)]);
  });
});

describe('listeners of a port', () => {
  it('listeners are read from the tables of the kernel, whatever else is in them', () => {
    expect(listenersOn(TABLE, 8080)).toEqual([
      { address: '127.0.0.1', inode: '4711' },
      { address: '0.0.0.0', inode: '4712' },
      { address: '::', inode: '4715' },
      { address: '::1', inode: '4716' },
      { address: '127.0.0.1', inode: '4717' },
    ]);
    expect(listenersOn(TABLE, 80)).toEqual([]);
  });

  it.each(['127.0.0.1', '::1'])(
    'listeners of this process at %s are found with their descriptor',
    async (address) => {
      const server = createServer();
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, address, resolve));
      const [found, ...others] = listenersOn(listenTable(), (server.address() as AddressInfo).port);
      expect(others).toEqual([]);
      expect(found).toMatchObject({ address });
      const inodes = new Set([found?.inode ?? '']);
      const link = socketOf(process.pid, inodes);
      expect(link).toMatch(/^\/proc\/\d+\/fd\/\d+$/);
      expect(isSocketOf(link ?? '', inodes)).toBe(true);
      expect(isSocketOf(link ?? '', new Set(['1']))).toBe(false);
    },
  );

  it.each([
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::ffff:7f00:1', '127.0.0.1'],
    ['::1', '::1'],
    ['10.0.0.7', '10.0.0.7'],
  ])('listeners at %s are at %s', (address, plain) => {
    expect(plainAddress(address)).toBe(plain);
  });
});

it('the one socket that listens at a path is found, and none of its connections', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'sup unix '));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'a socket');
  expect(inodesAtPath(path).size).toBe(0);
  const server = createServer().listen(path);
  await once(server, 'listening');
  const client = createConnection(path);
  await once(server, 'connection');
  const inodes = inodesAtPath(path);
  expect(inodes.size).toBe(1);
  expect(socketOf(process.pid, inodes)).toBeDefined();
  client.destroy();
  server.close();
});
