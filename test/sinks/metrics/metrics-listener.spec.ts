import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { listenForMetrics, listenPlace } from '../../../src/sinks/metrics/metrics-listener.ts';
import { CONTENT_TYPE } from '../../../src/sinks/metrics/open-metrics.ts';
import { freePort } from '../../scenarios/support/free-port.ts';
import { ms, type Ms } from '../../../src/streams/domain/time.ts';
import type { MetricsDocument } from '../../../src/streams/wire/documents/metrics-documents.ts';
import { readOpenMetrics } from './strict-open-metrics.ts';

const own = {
  cpu_seconds: 1,
  cpu_percent: null,
  rss_bytes: 2,
  loop_delay_ms: 0,
  loop_delay_max_ms: 0,
  samples_bytes: 0,
};
const document: MetricsDocument = {
  schema: 'sup.metrics/1',
  supervisor: { pid: 1, version: 'x', since: '2026-11-21T05:30:15.123Z', ...own },
  services: [],
};

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const listening = async (read = () => document, patience?: Ms): Promise<string> => {
  const port = await freePort();
  const place = { host: '127.0.0.1', port, names: ['shop.example'] };
  closers.push(await listenForMetrics(place, read, patience));
  return `http://127.0.0.1:${port}`;
};

const ASKING = 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n';
const PATIENCE = ms(500);

const dialled = (place: string): Socket =>
  connect({ host: '127.0.0.1', port: Number(new URL(place).port) }).on('error', () => undefined);

describe('the metrics page', () => {
  it('the metrics page is OpenMetrics text with its content type', async () => {
    const response = await fetch(`${await listening()}/metrics?x=1`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, CONTENT_TYPE]);
    expect(readOpenMetrics(await response.text()).length).toBeGreaterThan(3);
  });

  it('the metrics page is the only page, and read-only', async () => {
    const place = await listening();
    expect((await fetch(place)).status).toBe(404);
    expect((await fetch(`${place}/metrics`, { method: 'POST', body: 'x' })).status).toBe(405);
    const head = await fetch(`${place}/metrics`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('the metrics page answers a path that is no address', async () => {
    const place = new URL(await listening());
    const answered = once(get({ host: place.hostname, port: place.port, path: '//' }), 'response');
    const [response] = (await answered) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(404);
  });

  it.each([
    ['evil.example', 421],
    ['localhost.evil.example', 421],
    ['127.0.0.1.evil.example:9464', 421],
    ['localhost', 200],
    ['LOCALHOST.:9464', 200],
    ['192.0.2.7:9464', 200],
    ['[::1]:9464', 200],
    [hostname(), 200],
    ['Shop.example:9464', 200],
  ])('the metrics page answers a request for the host %j with %i', async (host, status) => {
    const { port } = new URL(await listening());
    const answered = once(get({ host: '127.0.0.1', port, path: '/metrics', headers: { host } }), 'response');
    const [response] = (await answered) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(status);
  });

  it('the metrics page answers while more clients than it keeps send nothing', async () => {
    const place = await listening();
    const clients = Array.from({ length: 40 }, () => dialled(place));
    await Promise.all(clients.map((client) => once(client, 'connect')));
    expect((await fetch(`${place}/metrics`)).status).toBe(200);
    for (const client of clients) client.destroy();
  });

  it('the metrics page reports an internal error and continues', async () => {
    let broken = true;
    const place = await listening(() => {
      if (broken) throw new Error('no state');
      return document;
    });
    expect((await fetch(`${place}/metrics`)).status).toBe(500);
    broken = false;
    expect((await fetch(`${place}/metrics`)).status).toBe(200);
  });

  it('the metrics page answers one request of each client, whatever else was sent', async () => {
    let read = 0;
    const place = await listening(() => {
      read += 1;
      return document;
    });
    const client = dialled(place);
    client.write(ASKING.repeat(100));
    expect(await text(client)).toMatch(/^HTTP\/1\.1 200 [^]*connection: close[^]*# EOF\n/i);
    expect(read).toBe(1);
  });

  it.each([
    ['does not ask', ''],
    ['does not read', ASKING.repeat(100)],
  ])('the metrics page closes a client that %s, and has room for others then', async (_what, sent) => {
    const { supervisor } = document;
    // More than waits in any socket.
    const long = { ...document, supervisor: { ...supervisor, version: 'x'.repeat(2 ** 21) } };
    const place = await listening(() => long, PATIENCE);
    const clients = Array.from({ length: 32 }, () => dialled(place));
    for (const client of clients) client.pause().write(sent);
    await Promise.all(clients.map((client) => once(client, 'connect')));
    await expect.poll(() => fetch(`${place}/metrics`).then(({ status }) => status, String)).toBe(200);
    for (const client of clients) client.destroy();
  });

  it('the metrics page is refused at an address in use', async () => {
    const port = Number(new URL(await listening()).port);
    await expect(listenForMetrics({ host: '127.0.0.1', port }, () => document)).rejects.toThrow('EADDRINUSE');
  });
});

describe('an address to listen at', () => {
  it.each([
    ['9464', '127.0.0.1'],
    [':9464', '127.0.0.1'],
    ['localhost:9464', '127.0.0.1'],
    ['0.0.0.0:9464', '0.0.0.0'],
    ['[::1]:9464', '::1'],
    ['[::]:9464', '::'],
  ])('%s is the listen address %s', (written, host) =>
    expect(listenPlace(written)).toEqual({ host, port: 9_464 }),
  );

  it.each([
    '',
    'x',
    '0',
    '65536',
    '99999',
    '127.0.0.1',
    '127.0.0.1:',
    'example.org:80',
    '::1:80',
    '[127.0.0.1]:80',
    '1.2.3:80',
    '-1',
    '80 ',
  ])('"%s" is no listen address', (written) => expect(listenPlace(written)).toBeUndefined());
});
