// Start: a health check that fails says why by its code, and nothing is left running.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { loose, program, steady, type Declared } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, expectFailed, started } from '../support/witnesses.ts';

const checked = (check: Declared): Declared => ({
  restart_policy: 'never',
  deployment: { health_check: { interval: '100ms', retries: 1, total_timeout: '3s', ...check } },
});

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  return (server.address() as AddressInfo).port;
};

describe('a service whose health check fails', () => {
  scenario('a service whose health check reports unhealthy is stopped with ERR0104', async (stage) => {
    stage.declare(loose({ bad: steady(checked({ command: 'false' })), good: steady() }));
    expectFailed(await stage.sup('start', '--daemonize'), 'ERR0104');
    await agree(stage, { bad: 'failed', good: 'running' });
  });

  scenario('a service whose health check cannot reach it is stopped with ERR0022', async (stage) => {
    const url = `http://127.0.0.1:${await freePort()}/`;
    stage.declare(loose({ bad: steady(checked({ url })), good: steady() }));
    expectFailed(await stage.sup('start', '--daemonize'), 'ERR0022');
    await agree(stage, { bad: 'failed', good: 'running' });
  });

  scenario('a service whose health check times out is stopped with ERR0023', async (stage) => {
    const port = await freePort();
    stage.write('mute', '');
    const check = checked({
      url: `http://127.0.0.1:${port}/`,
      attempt_timeout: '400ms',
      total_timeout: '6s',
    });
    stage.declare(loose({ bad: program('server.mjs', [String(port)], check), good: steady() }));
    expectFailed(await stage.sup('start', '--daemonize'), 'ERR0023');
    await agree(stage, { bad: 'failed', good: 'running' });
  });

  scenario(
    'a probe that is redirected to another port fails with ERR0104, and that port is not asked',
    async (stage) => {
      let requests = 0;
      const other = createServer((_, response) => {
        requests += 1;
        response.end();
      });
      const target = await listening(other);
      stage.write('redirect', `http://127.0.0.1:${target}/admin`);
      const port = await freePort();
      const bad = program(
        'server.mjs',
        [String(port)],
        checked({ url: `http://127.0.0.1:${port}/`, total_timeout: '8s' }),
      );
      stage.declare(loose({ bad, good: steady() }));
      try {
        const failed = await stage.sup('start', '--daemonize');
        expect(requests).toBe(0);
        expectFailed(failed, 'ERR0104');
        expect(failed.stderr).toContain(`redirects to http://127.0.0.1:${target}/admin`);
        expect(failed.stderr).toContain('only to the same host and port');
        await agree(stage, { bad: 'failed', good: 'running' });
      } finally {
        other.close();
      }
    },
  );

  scenario('a service is ready with the first probe that passes, long before the interval', async (stage) => {
    const port = await freePort();
    const health_check = { url: `http://127.0.0.1:${port}/`, interval: '1m', total_timeout: '60s' };
    await started(
      stage,
      loose({ web: program('server.mjs', [String(port)], { deployment: { health_check } }) }),
    );
    await agree(stage, { web: 'running' });
  });
});
