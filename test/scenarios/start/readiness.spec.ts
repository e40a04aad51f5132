// Start: a server becomes ready when it begins to listen, not when its next probe would be due. In each scenario the
// second probe by the clock would come after ten minutes, long after the scenario has failed.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { fixture, loose, program, type Declared } from '../support/recipes.ts';
import { serviceOf } from '../support/rollouts.ts';
import { scenario } from '../support/scenario.ts';
import { fullName, type Stage } from '../support/stage.ts';
import { agree, expectDone, servicesOf, started } from '../support/witnesses.ts';

const SELDOM = { interval: '10m', start_interval: '10m' };

interface Late {
  readonly host?: string;
  readonly name?: string;
  readonly port: number;
  readonly listensAfter?: number;
  readonly readyAfter?: number;
  readonly check?: Declared;
  readonly more?: Declared;
}

/** A service that listens late on a port, with a health check at `name` and that port. */
const late = ({ host = '127.0.0.1', name = host, port, ...of }: Late): Declared => {
  const { listensAfter = 700, readyAfter = 0, check = SELDOM, more = {} } = of;
  const health_check = { url: `http://${name}:${port}/`, retries: 100, ...check };
  const args = [host, String(port), String(listensAfter), String(readyAfter)];
  return program('late-server.mjs', args, { deployment: { health_check }, ...more });
};

/** How long after the server was usable it was called ready, ms. */
const lag = async (stage: Stage): Promise<number> => {
  const { ready_at: ready } = await serviceOf(stage, 'web');
  return Date.parse(ready ?? '') - Number(readFileSync(join(stage.work, 'usable'), 'utf8'));
};

describe('a server that begins to listen late', () => {
  scenario('a server with a check by TCP is ready when it begins to listen', async (stage) => {
    const port = await freePort();
    const deployment = { health_check: { tcp: port, retries: 100, ...SELDOM } };
    await started(stage, loose({ web: late({ port, more: { deployment } }) }));
    await agree(stage, { web: 'running' });
    expect(await lag(stage)).toBeGreaterThanOrEqual(0);
  });

  for (const [by, place] of [
    ['an IPv4 address', { host: '127.0.0.1', name: '127.0.0.1' }],
    ['an IPv6 address', { host: '::1', name: '[::1]' }],
    ['a name', { host: 'localhost', name: 'localhost' }],
  ] as const)
    scenario(`a server is ready when it begins to listen, with a check by ${by}`, async (stage) => {
      await started(stage, loose({ web: late({ ...place, port: await freePort() }) }));
      await agree(stage, { web: 'running' });
      expect(await lag(stage)).toBeGreaterThanOrEqual(0);
    });

  scenario('a server that listens and answers 503 is probed again until it is ready', async (stage) => {
    const check = { interval: '10m' };
    await started(stage, loose({ web: late({ port: await freePort(), readyAfter: 500, check }) }));
    await agree(stage, { web: 'running' });
    expect(await lag(stage)).toBeGreaterThanOrEqual(0);
  });

  scenario('a server is ready when the port that another process held is free and its own', async (stage) => {
    const port = await freePort();
    const other = createServer((_, response) => response.end('not the service')).listen(port, '127.0.0.1');
    await once(other, 'listening');
    stage.declare(loose({ web: late({ port, listensAfter: 0 }) }));
    const start = stage.sup('start', '--daemonize');
    try {
      const isProbed = async (): Promise<true | undefined> =>
        servicesOf((await stage.status()).document).get(fullName('web'))?.health === 'unhealthy' || undefined;
      await eventually({ what: 'a failed probe', look: isProbed });
    } finally {
      other.close();
      other.closeAllConnections();
    }
    expectDone(await start);
    await agree(stage, { web: 'running' });
    expect(await lag(stage)).toBeGreaterThanOrEqual(0);
  });

  scenario('a server that takes its held socket late is ready when it does', async (stage) => {
    const port = await freePort();
    const more = { sockets: [{ name: 'http', listen: `127.0.0.1:${port}` }] };
    await started(stage, loose({ web: late({ port, more }) }));
    await agree(stage, { web: 'running' });
    expect(await lag(stage)).toBeGreaterThanOrEqual(0);
  });

  scenario('a candidate in its slot is ready when it begins to listen there', async (stage) => {
    const [blue, green] = [await freePort(), await freePort()];
    const blue_green = { slots: [String(blue), String(green)], switch_command: 'true' };
    const { deployment: _, ...web } = late({ port: blue });
    const health_check = { ...SELDOM, url: 'http://127.0.0.1:{slot}/', retries: 100 };
    const command = `exec ${process.execPath} ${fixture('late-server.mjs')} 127.0.0.1 $PORT 700 0`;
    const { exec: __, ...rest } = web;
    await started(stage, loose({ web: { ...rest, command, deployment: { health_check, blue_green } } }));
    expectDone(await stage.sup('restart'));
    expect((await serviceOf(stage, 'web')).run).toBe(2);
    expect(await lag(stage)).toBeGreaterThanOrEqual(0);
    await agree(stage, { web: 'running' });
  });
});
