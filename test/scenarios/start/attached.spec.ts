// Start: attached. Output of the services goes by, Ctrl-C stops what was started and nothing else.
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { fileComes } from '../support/marks.ts';
import { killSupervisor } from '../support/own-death.ts';
import { project, shell, steady, UNREADY } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, come, expectDone, expectFailed } from '../support/witnesses.ts';

const SAYING = 'echo from the $WHO; exec sleep 1000';

describe('an attached start', () => {
  scenario(
    'an attached start shows output and stops its services at Ctrl-C; the supervisor stays',
    async (stage) => {
      stage.declare(project('blog', { web: steady() }), 'blog.yaml');
      expectDone(await stage.sup('start', '--daemonize', '-c', 'blog.yaml'));
      stage.declare(
        project('shop', { web: shell(SAYING, { env: { vars: { WHO: 'shop' } } }), api: steady() }),
      );
      const attached = stage.begin(['start']);
      await holds('the output of the service', () => attached.stdout().includes('from the shop'));
      expect(attached.stdout()).toMatch(/web\s*\| from the shop/);
      await come(stage, { 'shop/web': 'running', 'shop/api': 'running', 'blog/web': 'running' });
      attached.child.kill('SIGINT');
      expect((await attached.ended).status).toBe(0);
      await agree(stage, { 'shop/web': 'stopped', 'shop/api': 'stopped', 'blog/web': 'running' });
    },
  );

  scenario(
    'an attached start ends when all its services have ended, and says whether they failed',
    async (stage) => {
      stage.declare(project('fine', { once: shell('echo done', UNREADY) }), 'fine.yaml');
      stage.declare(project('bad', { once: shell('exit 1', { restart_policy: 'never' }) }), 'bad.yaml');
      expect((await stage.sup('start', '-c', 'fine.yaml')).status).toBe(0);
      expect((await stage.sup('start', '-c', 'bad.yaml')).status).toBe(1);
      await agree(stage, { 'fine/once': 'done', 'bad/once': 'failed' });
    },
  );

  scenario('a killed attached start leaves its services running', async (stage) => {
    stage.declare(project('shop', { web: steady() }));
    const attached = stage.begin(['start']);
    await holds('the service', () => stage.members('shop/web').length === 1);
    attached.child.kill('SIGKILL');
    await attached.ended;
    await come(stage, { 'shop/web': 'running' });
  });

  scenario(
    'Ctrl-C stops what an attached start has started, with dependencies, and names what continues',
    async (stage) => {
      stage.declare(
        project('shop', {
          cache: steady(),
          db: steady(),
          web: shell(SAYING, { depends_on: ['db', 'cache'] }),
        }),
      );
      expectDone(await stage.sup('start', '--daemonize', 'shop/cache'));
      const attached = stage.begin(['start', 'shop/web']);
      await holds('the output of the service', () => attached.stdout().includes('from the'));
      attached.child.kill('SIGINT');
      const { status, stderr } = await attached.ended;
      expect(status).toBe(0);
      expect(stderr).toContain('left running (already up before this command): shop/cache\n');
      await agree(stage, { 'shop/cache': 'running', 'shop/db': 'stopped', 'shop/web': 'stopped' });
    },
  );

  scenario('Ctrl-C stops a service that is still starting', async (stage) => {
    const deployment = { pre_start: 'touch begun; sleep 1000' };
    stage.declare(project('shop', { web: steady({ deployment }), db: steady() }));
    const attached = stage.begin(['start']);
    await fileComes(stage, 'begun');
    attached.child.kill('SIGINT');
    await attached.ended;
    await agree(stage, { 'shop/web': 'stopped', 'shop/db': 'stopped' });
  });

  scenario(
    'an attached start ends with an error when the supervisor dies, and its services continue',
    async (stage) => {
      stage.declare(project('shop', { web: steady() }));
      const attached = stage.begin(['start']);
      await come(stage, { 'shop/web': 'running' });
      await killSupervisor(stage);
      const outcome = await attached.ended;
      expectFailed(outcome, 'ERR0206');
      expect(stage.members('shop/web')).toHaveLength(1);
    },
  );
});
