// Needs the native addon.
// health_check.notify: a service says by sd_notify that it is ready, what it does, and that it still works.
import { spawn } from 'node:child_process';
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { killSupervisor } from '../support/own-death.ts';
import { asNobody, asRoot, environmentOf, manifest, runningSys } from '../support/privileged.ts';
import { type Declared, fixture, loose, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { fullName, type Stage } from '../support/stage.ts';
import { agree, come, expectDone, glance, serviceIn, servicesOf } from '../support/witnesses.ts';

const NOTIFYING: Declared = { health_check: { notify: true, total_timeout: '30s' } };

const reasonComes = (stage: Stage, name: string, text: string): Promise<void> =>
  holds(`"${text}" as the reason of ${name}`, async () =>
    (servicesOf(await glance(stage)).get(fullName(name))?.reason ?? '').includes(text),
  );

const send = (text: string): string =>
  [
    `import os, socket, time`,
    `socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"${text}", os.environ["NOTIFY_SOCKET"])`,
    'time.sleep(1000)',
  ].join('; ');

const sender = (name: string, more: Declared = {}): Declared =>
  steady({ exec: ['python3', '-c', send(`READY=1\\nSTATUS=by ${name}`)], deployment: NOTIFYING, ...more });

describe('a service that notifies', () => {
  scenario(
    'READY=1 of its own process makes it ready, and its watchdog counts after a kill -9',
    async (stage) => {
      const check = { notify: true, total_timeout: '60s', liveness: { watchdog: '6s' } };
      const web = steady({
        exec: ['python3', fixture('notify.py'), 'web'],
        deployment: { health_check: check },
      });
      stage.declare(loose({ web, next: steady({ depends_on: ['web'] }) }));
      stage.write('web.say', 'STATUS=Loading\n');
      const start = stage.begin(['start', '--daemonize']);
      await reasonComes(stage, 'web', 'Loading');
      const { pid } = (await agree(stage, { web: 'starting', next: 'waiting' })).web;
      const { NOTIFY_SOCKET } = environmentOf(pid ?? 0);
      const stranger = spawn('python3', ['-c', send('READY=1')], { env: { ...process.env, NOTIFY_SOCKET } });
      await holds('the warning', async () =>
        (await stage.sup('logs', '--supervisor')).stdout.includes(
          `a notification of pid ${String(stranger.pid)} is ignored`,
        ),
      );
      stranger.kill('SIGKILL');
      await agree(stage, { web: 'starting', next: 'waiting' });
      stage.write('web.say', 'STATUS=Loading\nREADY=1|STATUS=Serving\n');
      expectDone(await start.ended);
      await killSupervisor(stage);
      expectDone(await stage.sup('start', '--daemonize'));
      stage.write('web.say', 'STATUS=Loading\nREADY=1|STATUS=Serving\nSTATUS=Still here\n');
      await reasonComes(stage, 'web', 'Still here');
      expect((await agree(stage, { web: 'running', next: 'running' })).web).toMatchObject({ pid, run: 1 });
      stage.write('web.hang', '');
      await holds('the second run', async () => serviceIn(await glance(stage), 'web').run === 2);
      await come(stage, { web: 'running', next: 'running' });
      expect((await stage.sup('why', 'web')).stdout).toContain('no WATCHDOG=1 came in time');
    },
  );

  asNobody('confined services reach their socket', async (stage) => {
    const services = {
      plain: sender('plain'),
      walled: sender('walled', { isolation: { landlock: { rw_paths: ['/'] } } }),
      hidden: sender('hidden', { isolation: { user: true } }),
    };
    stage.declare(manifest(services, '2'));
    expectDone(await stage.sup('start', '--daemonize'));
    for (const name of Object.keys(services)) await reasonComes(stage, name, `by ${name}`);
  });

  asRoot('services of other users and in namespaces reach their socket', async (stage) => {
    const services = {
      user: sender('user', { user: 'www-data' }),
      confined: sender('confined', {
        capabilities: [],
        isolation: { network: true, mount: true, pid: true },
      }),
      inner: sender('inner', { isolation: { user: true } }),
    };
    await runningSys(stage, services);
    for (const name of Object.keys(services)) await reasonComes(stage, name, `by ${name}`);
  });
});
