// Crash and health: probes after readiness, and what they are not disturbed by.
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { eventually, holds } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { stillAlive } from '../support/kin.ts';
import { fileComes, linesCome, linesOf } from '../support/marks.ts';
import { everybody } from '../support/process-table.ts';
import { loose, program, script, steady, type Declared } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { fullName } from '../support/stage.ts';
import { agree, come, expectDone, pass, servicesOf, started } from '../support/witnesses.ts';

const checked = (port: number, more: Declared = {}): Declared =>
  program('server.mjs', [String(port)], {
    backoff: '100ms',
    deployment: {
      health_check: {
        url: `http://127.0.0.1:${port}/`,
        interval: '100ms',
        retries: 2,
        total_timeout: '15s',
        ...more,
      },
    },
  });

/** Leaves a mark for each probe, with its time in ms, and passes when the file `ready` exists. */
const marked = (name: string, more: Declared = {}): Declared =>
  steady({
    deployment: {
      health_check: {
        command: `date +%s%3N >>probes-${name}; test -e ready`,
        ...{ interval: '100ms', total_timeout: '2m' },
        ...more,
      },
    },
  });

const AFTER_READY_MS = 2_000;

describe('health after readiness', () => {
  scenario('after_ready sets how often a ready service is probed, and off ends it', async (stage) => {
    const paced = (after_ready: string): Declared => ({
      ...loose({
        web: marked('web', { after_ready }),
        quiet: marked('quiet', { after_ready: 'off' }),
        plain: marked('plain'),
      }),
    });
    stage.declare(paced(`${AFTER_READY_MS}ms`));
    const starting = stage.begin(['start', '--daemonize']);
    for (const name of ['web', 'quiet', 'plain']) {
      const times = (await linesCome(stage, `probes-${name}`, 6)).map(Number);
      // Five pauses: until the service is ready each is that of `interval`.
      expect((times[5] ?? Infinity) - (times[0] ?? 0)).toBeLessThan(5 * AFTER_READY_MS);
    }
    // No service is ready before this.
    const ready = Date.now();
    stage.write('ready', '');
    expectDone(await starting.ended);
    const probes = (name: string): number => linesOf(stage, `probes-${name}`).length;
    const before = { web: probes('web'), quiet: probes('quiet') };
    await linesCome(stage, 'probes-plain', probes('plain') + 20);
    await linesCome(stage, 'probes-web', before.web + 2);
    expect(probes('web') - before.web).toBeLessThanOrEqual((Date.now() - ready) / AFTER_READY_MS + 1);
    expect(probes('quiet')).toBe(before.quiet);

    // The key is taken up without a restart.
    stage.declare(paced('off'));
    expectDone(await stage.sup('apply'));
    const last = probes('web');
    rmSync(join(stage.work, 'ready'));
    await linesCome(stage, 'probes-plain', probes('plain') + 20);
    const services = await agree(stage, { plain: 'running', web: 'running', quiet: 'running' });
    expect([services.web, services.quiet]).toMatchObject([
      { run: 1, health: 'healthy' },
      { run: 1, health: 'healthy' },
    ]);
    expect([probes('web') <= last + 1, probes('quiet')]).toEqual([true, before.quiet]);
  });

  scenario('liveness asks a ready service, and on_failure says what follows', async (stage) => {
    const asked = (name: string, on_failure: string, more: Declared = {}): Declared =>
      steady({
        backoff: '100ms',
        deployment: {
          health_check: {
            command: `echo >>asked-${name}`,
            liveness: {
              ...{ command: `! test -e sick-${name} && echo passed >>alive-${name}` },
              ...{ interval: '100ms', retries: 2, on_failure },
            },
          },
        },
        ...more,
      });
    const services = {
      // However often it is restarted until the scenario has seen that it was.
      again: asked('again', 'restart', { max_restarts: 10_000 }),
      down: asked('down', 'stop', { hooks: { onerr: { command: 'echo >failed' } } }),
      on: asked('on', 'ignore'),
      top: steady({ depends_on: ['down'] }),
    };
    await started(stage, loose(services));
    const before = await agree(stage, { again: 'running', down: 'running', on: 'running', top: 'running' });
    for (const name of ['again', 'down', 'on']) stage.write(`sick-${name}`, '');
    await pass(stage, { down: 'failed', top: 'casualty' });
    await fileComes(stage, 'failed');
    await holds('a second run of again', async () => {
      const { document } = await stage.status();
      return (servicesOf(document).get(fullName('again'))?.run ?? 0) > 1;
    });
    rmSync(`${stage.work}/sick-again`);
    // From then on no failure is counted that came before.
    await linesCome(stage, 'alive-again', linesOf(stage, 'alive-again').length + 1);
    const after = await come(stage, { again: 'running', down: 'failed', on: 'running', top: 'casualty' });
    expect(after.on).toMatchObject({ pid: before.on.pid, health: 'unhealthy' });
    expect(readFileSync(`${stage.work}/asked-on`, 'utf8')).toBe('\n');
  });

  scenario(
    'a service that loses its health is stopped as by a crash, and its dependents fall',
    async (stage) => {
      const port = await freePort();
      await started(stage, loose({ web: checked(port), top: steady({ depends_on: ['web'] }) }));
      const before = await agree(stage, { web: 'running', top: 'running' });
      expect(before.web.health).toBe('healthy');
      stage.write('sick', '');
      await pass(stage, { top: 'casualty' });
      rmSync(`${stage.work}/sick`);
      const after = await come(stage, { web: 'running', top: 'running' });
      expect(after.web.pid).not.toBe(before.web.pid);
      expect(after.web.restarts).toBeGreaterThan(0);
      expect(after.top).toMatchObject({ run: 2, restarts: 0 });
    },
  );

  scenario('health is shown beside the state, with the failure that was seen', async (stage) => {
    const port = await freePort();
    await started(stage, loose({ web: checked(port, { retries: 50, total_timeout: '1m' }) }));
    stage.write('sick', '');
    const { status, document } = await eventually({
      what: 'an unhealthy service',
      look: async () => {
        const seen = await stage.status();
        return seen.document.projects[0]?.services[0]?.health === 'unhealthy' ? seen : undefined;
      },
    });
    expect(status).toBe(1);
    expect(document.projects[0]?.services[0]).toMatchObject({ state: 'running', health: 'unhealthy' });
    expect(document.projects[0]?.services[0]?.reason).toMatch(/503|ERR0104|unhealthy/);
    rmSync(`${stage.work}/sick`);
    await holds('that it has recovered', async () =>
      (await stage.sup('events', 'web')).stdout.includes('its health check passes again'),
    );
    expect((await stage.sup('events', 'web')).stdout).toMatch(
      /web is unhealthy \(pid \d+, ERR0104, .*failure 1 of 50\)\n\S+ web is healthy \(pid/,
    );
  });

  scenario('a URL check asks the service itself, whatever the proxy variables say', async (stage) => {
    const proxy = createServer((_request, response) => response.writeHead(502).end());
    await new Promise<void>((settle) => proxy.listen(0, '127.0.0.1', settle));
    const address = proxy.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`;
    try {
      const port = await freePort();
      stage.declare(
        loose({ web: checked(port, { url: `http://localhost:${port}/`, total_timeout: '60s' }) }),
      );
      const variables = ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'];
      const environment = {
        ...Object.fromEntries(variables.map((name) => [name, url])),
        NODE_USE_ENV_PROXY: '1',
      };
      expectDone(await stage.begin(['start', '--daemonize'], { environment }).ended);
      await agree(stage, { web: 'running' });
    } finally {
      proxy.close();
    }
  });

  scenario(
    'a service never has two probes at once, and a slow one is killed with its children',
    async (stage) => {
      const command = 'echo + >>probes; sleep 777 & sleep 777';
      const health_check = {
        command,
        interval: '50ms',
        attempt_timeout: '1s',
        retries: 3,
        total_timeout: '8s',
      };
      stage.declare(loose({ web: steady({ restart_policy: 'never', deployment: { health_check } }) }));
      const start = stage.begin(['start', '--daemonize']);
      await fileComes(stage, 'probes');
      let most = 0;
      while (start.child.exitCode === null) {
        most = Math.max(
          most,
          everybody().filter(
            ({ command: text, directory }) => text === 'sleep 777' && directory === stage.work,
          ).length,
        );
        await pause(20);
      }
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThanOrEqual(2);
      expect((await start.ended).stderr).toContain('ERR0023');
      await agree(stage, { web: 'failed' });
    },
  );
});

describe('a leader that is killed', () => {
  scenario(
    'a killed leader leaves no process of its tree, and the service returns with a new pid',
    async (stage) => {
      await started(stage, loose({ family: script('family.sh', ['pids'], { backoff: '100ms' }) }));
      await fileComes(stage, 'pids.ready');
      const { family } = await agree(stage, { family: 'running' });
      const old = stage.members('family');
      expect(old.length).toBeGreaterThanOrEqual(5);
      process.kill(family.pid ?? 0, 'SIGKILL');
      await holds('the old tree gone', () => stillAlive(old).length === 0);
      const after = await come(stage, { family: 'running' });
      expect(after.family.pid).not.toBe(family.pid);
      expect(after.family).toMatchObject({ run: 2, last_exit: { code: null, signal: 'SIGKILL' } });
    },
  );
});
