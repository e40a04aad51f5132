import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSocketServer, type AddressInfo, type Server as SocketServer } from 'node:net';
import { asyncScheduler, repeat, take } from 'rxjs';
import { afterEach, describe, expect, it } from 'vitest';
import { httpProber, type Stranger } from '../../../src/sources/probes/http-prober.ts';
import type { ProbeResult } from '../../../src/streams/domain/event.ts';
import type { LocalPlace } from '../../../src/streams/domain/service/port.ts';
import { ms } from '../../../src/streams/domain/time.ts';
import { all } from '../../fixtures/processes/world.ts';

const opened: (Server | SocketServer)[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) {
    if ('closeAllConnections' in server) server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const listening = async (server: Server | SocketServer): Promise<number> => {
  opened.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};
const serving = async (listener: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listening(createServer(listener))}`;

const nobody: Stranger = () => Promise.resolve(undefined);
const results = async (
  url: string,
  attempts = 1,
  { limit = 5000, stranger = nobody }: { readonly limit?: number; readonly stranger?: Stranger } = {},
): Promise<readonly ProbeResult[]> => {
  const { attempt$, close } = httpProber(url, { limit: ms(limit), scheduler: asyncScheduler, stranger });
  try {
    return await all(attempt$.pipe(repeat({ delay: 1 }), take(attempts)));
  } finally {
    close();
  }
};

describe('a URL check', () => {
  it('a URL check passes with any 2xx', async () => {
    const url = await serving((_, response) => response.writeHead(204).end());
    expect(await results(url)).toEqual([{ tag: 'passed' }]);
  });

  it('a URL check with another status is unhealthy and quotes the first 200 bytes as one line', async () => {
    const url = await serving((_, response) =>
      response.writeHead(500).end(`out of\n  disk ${'x'.repeat(100_000)}`),
    );
    const [result] = await results(url);
    expect(result).toEqual({
      tag: 'unhealthy',
      detail: expect.stringMatching(/^GET http:.* answered 500: out of disk x{180,190}$/) as unknown,
    });
  });

  it('a URL check follows up to five redirects', async () => {
    const url = await serving((request, response) => {
      const hop = Number(request.url?.slice(1));
      if (hop === 5) response.end('there');
      else response.writeHead(302, { location: `/${hop + 1}` }).end();
    });
    expect(await results(`${url}/0`)).toEqual([{ tag: 'passed' }]);
    expect(await results(`${url}/-1`)).toMatchObject([{ tag: 'unhealthy' }]);
  });

  it('a redirect to another host or port fails without a request to it', async () => {
    let requests = 0;
    const other = await serving((_, response) => {
      requests += 1;
      response.end();
    });
    const redirecting = async (location: string): Promise<ProbeResult | undefined> => {
      const url = await serving((_, response) => response.writeHead(302, { location }).end());
      return (await results(url))[0];
    };
    expect(await redirecting(`${other}/admin`)).toEqual({
      tag: 'unhealthy',
      detail: expect.stringMatching(
        new RegExp(`^GET http://127.* redirects to ${other}/admin: .*same host and port; .*url of the check`),
      ) as unknown,
    });
    for (const location of [other.replace('127.0.0.1', 'localhost'), '//127.0.0.1/', 'https://127.0.0.1/'])
      expect(await redirecting(location)).toMatchObject({ tag: 'unhealthy' });
    expect(requests).toBe(0);
  });

  it('a redirect that names its own host and port is followed', async () => {
    const url = await serving((request, response) => {
      if (request.url === '/there') response.end();
      else response.writeHead(307, { location: `${url}/there` }).end();
    });
    expect(await results(url)).toEqual([{ tag: 'passed' }]);
  });

  it('a URL check without a listener is unreachable', async () => {
    const server = createServer();
    const port = await listening(server);
    await new Promise((resolve) => opened.pop()?.close(resolve));
    expect(await results(`http://127.0.0.1:${port}/`)).toEqual([
      { tag: 'unreachable', detail: `connect ECONNREFUSED 127.0.0.1:${port}` },
    ]);
  });

  it('an https check of a server that speaks plain http says so', async () => {
    const place = await serving((_request, response) => response.end('ok'));
    expect(await results(place.replace('http:', 'https:'))).toEqual([
      { tag: 'unreachable', detail: 'the server speaks plain http, and the url says https' },
    ]);
  });

  it('each address of a name without a listener is named', async () => {
    const port = await listening(createServer());
    await new Promise((resolve) => opened.pop()?.close(resolve));
    expect(await results(`http://localhost:${port}/`)).toMatchObject([
      { tag: 'unreachable', detail: expect.stringContaining(`127.0.0.1:${port}`) as unknown },
    ]);
  });

  it('an unknown name, or one without an address, is unreachable', async () => {
    // The limit is for the name service.
    expect(await results('http://no-such-host.invalid/', 1, { limit: 50_000 })).toMatchObject([
      { tag: 'unreachable' },
    ]);
    expect(await results('not a url')).toMatchObject([{ tag: 'unreachable' }]);
    expect(await results('ftp://localhost/')).toMatchObject([
      { tag: 'unreachable', detail: 'ftp://localhost/ is neither http nor https' },
    ]);
  });

  it('a passing answer of another process on this machine is no pass', async () => {
    const taken = { port: 80, holder: { pid: 1 } };
    const asked: LocalPlace[] = [];
    const stranger: Stranger = (place) => {
      asked.push(place);
      return Promise.resolve(taken);
    };
    const url = await serving((_, response) => response.end());
    expect(await results(url, 1, { stranger })).toEqual([{ tag: 'stranger', taken }]);
    expect(asked).toEqual([{ port: Number(new URL(url).port), address: '127.0.0.1' }]);
    const failing = await serving((_, response) => response.writeHead(500).end());
    expect(await results(failing, 1, { stranger })).toMatchObject([{ tag: 'unhealthy' }]);
    expect(asked).toHaveLength(1);
  });

  it('a passing answer counts if the answering process cannot be identified', async () => {
    const url = await serving((_, response) => response.end());
    const blind: Stranger = () => Promise.reject(new Error('EMFILE'));
    expect(await results(url, 1, { stranger: blind })).toEqual([{ tag: 'passed' }]);
  });

  it('a server that accepts and says nothing is a timeout', async () => {
    const url = await serving(() => undefined);
    expect(await results(url, 2, { limit: 60 })).toEqual([{ tag: 'timed-out' }, { tag: 'timed-out' }]);
  });

  it('an answer that is no HTTP is unhealthy', async () => {
    const port = await listening(createSocketServer((socket) => socket.resume().end('SSH-2.0-OpenSSH\r\n')));
    expect(await results(`http://127.0.0.1:${port}/`)).toMatchObject([{ tag: 'unhealthy' }]);
  });

  it('probes use one connection', async () => {
    const ports = new Set<number | undefined>();
    const url = await serving((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('fine');
    });
    expect(await results(url, 20)).toHaveLength(20);
    expect(ports.size).toBe(1);
  });

  it('a server that closes kept connections causes no failure', async () => {
    let served = 0;
    const url = await serving((request, response) => {
      served += 1;
      response.end('fine');
      setImmediate(() => request.socket.destroy());
    });
    expect(new Set((await results(url, 20)).map(({ tag }) => tag))).toEqual(new Set(['passed']));
    expect(served).toBeGreaterThanOrEqual(20);
  });

  it('the status alone decides: an endless body delays nothing', async () => {
    const open = new Set<unknown>();
    const url = await serving((request, response) => {
      open.add(request.socket);
      request.socket.once('close', () => open.delete(request.socket));
      response.write('data: endless\n');
    });
    expect(await results(url, 5)).toHaveLength(5);
    expect(open.size).toBeLessThan(5);
  });

  it('proxy variables are ignored', async () => {
    const url = await serving((_, response) => response.end());
    const names = ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'NODE_USE_ENV_PROXY'];
    for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : 'http://127.0.0.1:9';
    try {
      expect(await results(url)).toEqual([{ tag: 'passed' }]);
    } finally {
      for (const name of names) Reflect.deleteProperty(process.env, name);
    }
  });
});
