import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listeningPorts } from '../../../src/sources/process/listening-ports.ts';

let servers: Server[];
const udp = createSocket('udp4');

const listenAt = async (host: string): Promise<number> => {
  const server = createServer().listen(0, host);
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

beforeEach(() => {
  servers = [];
});
afterEach(() => servers.forEach((server) => server.close()));

it('TCP and UDP ports of IPv4 and IPv6 are listed with the process, in the order of their numbers', async () => {
  const [four, six] = [await listenAt('127.0.0.1'), await listenAt('::1')];
  udp.bind(0, '127.0.0.1');
  await once(udp, 'listening');
  const { port } = udp.address();
  const found = listeningPorts()([process.pid], []) ?? [];
  udp.close();
  for (const expected of [
    { protocol: 'tcp', address: '127.0.0.1', port: four },
    { protocol: 'tcp', address: '::1', port: six },
    { protocol: 'udp', address: '127.0.0.1', port },
  ])
    expect(found).toContainEqual({ ...expected, pid: process.pid });
  const ports = found.map((one) => one.port);
  expect(ports).toEqual(ports.toSorted((a, b) => a - b));
});

it('of the own sockets only those at a held port are listed', async () => {
  const [held] = [await listenAt('127.0.0.1'), await listenAt('127.0.0.1')];
  const found = listeningPorts()([], [held]);
  expect(found).toEqual([{ protocol: 'tcp', address: '127.0.0.1', port: held, pid: process.pid }]);
});

it('a process that has ended holds no port', () => {
  expect(listeningPorts()([2 ** 22 + 1], [])).toEqual([]);
});

it('the ports of a process that may not be examined are not known', () => {
  const { seteuid, geteuid } = process;
  if (geteuid === undefined || seteuid === undefined) throw new Error('needs Linux');
  const own = geteuid();
  // Root gives up its rights for a moment; another user may not examine process 1 anyway.
  if (own === 0) seteuid(65534);
  try {
    expect(listeningPorts()([1], [])).toBeUndefined();
  } finally {
    if (own === 0) seteuid(own);
  }
});
