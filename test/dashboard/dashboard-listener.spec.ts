// Where the dashboard listens: who can connect, and what it does with slow or foreign clients.
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ClientFailure } from '../../src/client/client-failure.ts';
import type { DashboardPlace } from '../../src/dashboard/http/dashboard-listener.ts';
import { type Dashboard, serveDashboard } from '../../src/dashboard/serve-dashboard.ts';
import { fakeSup } from './fake-sup.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sup-dashboard-'));
  writeFileSync(join(directory, 'index.html'), 'page');
  writeFileSync(join(directory, 'page.js'), '');
});
afterEach(() => rmSync(directory, { recursive: true }));

const serve = async (place: DashboardPlace, files = directory): Promise<Dashboard> => {
  const dashboard = await serveDashboard(fakeSup().sup, {
    ...{ place, files, actions: false, host: 'box', version: '1.0.0' },
  });
  onTestFinished(() => dashboard.close());
  return dashboard;
};

const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  const thrown: unknown = await promise.catch((error: unknown) => error);
  if (!(thrown instanceof ClientFailure)) throw new Error('it did not fail');
  return `${thrown.document.code} ${thrown.document.message}`;
};

const taken = async (): Promise<number> => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  return (other.address() as AddressInfo).port;
};

const LOOPBACK = { address: '127.0.0.1', isFixed: true };
const TLS = { cert: 'test/fixtures/dashboard/cert.pem', key: 'test/fixtures/dashboard/key.pem' };

/** Resolves to the status of a GET over TLS under this name. */
const statusOver = ({ url }: Dashboard, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(url);
    const asked = request(
      {
        host: '127.0.0.1',
        port,
        headers: { host: `${host}:${port}` },
        rejectUnauthorized: false,
        agent: false,
      },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      },
    );
    asked.on('error', reject).end();
  });

/** Resolves to the first line of the answer at a Unix socket. */
const answerAt = async (path: string, host: string): Promise<string> => {
  const line = connect(path);
  line.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  const [head] = (await once(line, 'data')) as [Buffer];
  line.destroy();
  return head.toString().split('\r\n')[0] ?? '';
};

describe('where the dashboard listens', () => {
  it('a port in use is an error if it was asked for, and otherwise another one is taken', async () => {
    const port = await taken();
    expect(await codeOf(serve({ ...LOOPBACK, port }))).toBe(
      `ERR0240 the dashboard cannot use 127.0.0.1:${port}: the port is in use`,
    );
    const { url } = await serve({ ...LOOPBACK, port, isFixed: false });
    expect(new URL(url).port).not.toBe(String(port));
  });

  it('a Unix socket is for its owner only, and is answered under any port of this machine', async () => {
    const path = join(directory, 'sock');
    await serve({ path });
    expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
    expect(await answerAt(path, 'localhost:7777')).toBe('HTTP/1.1 200 OK');
    expect(await answerAt(path, 'evil.example:7777')).toContain(' 421 ');
    expect(await codeOf(serve({ path }))).toContain('another program listens there');
  });

  it('without the files of the page it does not begin', async () => {
    const place = { ...LOOPBACK, port: 0 };
    rmSync(join(directory, 'page.js'));
    expect(await codeOf(serve(place))).toBe(
      `ERR0240 the dashboard cannot use ${directory}: the page is incomplete`,
    );
    expect(await codeOf(serve(place, join(directory, 'none')))).toMatch(/the page is not installed$/);
    expect(await codeOf(serve(place, join(directory, 'index.html')))).toMatch(/ENOTDIR/);
  });

  it('a file that is no socket stays as it is', async () => {
    const path = join(directory, 'index.html');
    expect(await codeOf(serve({ path }))).toContain('it is no socket');
    expect(statSync(path).size).toBe(4);
  });

  it('with TLS it is answered under the names of the certificate only', async () => {
    const dashboard = await serve({ ...LOOPBACK, port: 0, tls: TLS });
    expect(dashboard.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/#token=/);
    expect(await statusOver(dashboard, 'sup.example')).toBe(200);
    expect(await statusOver(dashboard, '127.0.0.1')).toBe(200);
    expect(await statusOver(dashboard, 'evil.example')).toBe(421);
  });

  it('files of TLS that cannot be used are an error', async () => {
    expect(await codeOf(serve({ ...LOOPBACK, port: 0, tls: { ...TLS, cert: '/nowhere' } }))).toContain(
      'ENOENT',
    );
    expect(await codeOf(serve({ ...LOOPBACK, port: 0, tls: { ...TLS, cert: TLS.key } }))).toContain(
      'ERR0240',
    );
  });

  it('a client that does not end its header is disconnected', async () => {
    const { url } = await serve({ ...LOOPBACK, port: 0 });
    const line = connect(Number(new URL(url).port), '127.0.0.1');
    line.on('error', () => undefined).resume();
    line.write('GET / HTTP/1.1\r\nHost: ');
    await once(line, 'close');
  });
});
