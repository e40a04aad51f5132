// Start: services whose port is in other hands, and programs that leave the session they were started in.
import { describe, expect } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { holds } from '../support/eventually.ts';
import { loose, program, shell, steady, UNREADY, type Declared } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, come, errorOf, expectFailed, started } from '../support/witnesses.ts';

const checked = (port: number, total_timeout: string): Declared => ({
  deployment: {
    health_check: { url: `http://localhost:${port}/`, interval: '100ms', retries: 2, total_timeout },
  },
});

describe('a service whose port is taken by another service', () => {
  scenario(
    'a service is not ready when another one answers its health check, and the reason names it',
    async (stage) => {
      const port = await freePort();
      const web = program('server.mjs', [String(port)], checked(port, '60s'));
      await started(stage, loose({ web }));
      const { web: holder } = await agree(stage, { web: 'running' });
      const late = steady({ ...checked(port, '5s'), restart_policy: 'never' });
      stage.declare(loose({ web, late }));
      const outcome = await stage.sup('start', '--json');
      const error = errorOf(outcome);
      expect(error).toMatchObject({ code: 'ERR0105', path: 'late' });
      expect(error.message).toContain(`port ${port} is held by web (pid ${holder.pid ?? 0}, `);
      expect(error.hint).toContain('sup stop web');
      await agree(stage, { web: 'running', late: 'failed' });
    },
  );

  scenario(
    'a service that exits because its port is taken names the other one, also below the status table',
    async (stage) => {
      const port = await freePort();
      const web = program('server.mjs', [String(port)], checked(port, '60s'));
      await started(stage, loose({ web }));
      const late = program('server.mjs', [String(port)], { max_restarts: 1, backoff: '50ms' });
      stage.declare(loose({ web, late }));
      await stage.sup('start', '--daemonize');
      const { late: broken } = await come(stage, { web: 'running', late: 'breaker-open' });
      expect(broken.error?.code).toBe('ERR0110');
      expect(broken.reason).toContain(`port ${port} is held by web`);
      expect(broken.evidence.join()).toContain('EADDRINUSE');
      const next = 'give one of them another port, or: sup stop web; then: sup start late';
      expect(broken.next_step).toBe(next);
      const { stdout } = await stage.sup('status');
      const below = stdout.slice(stdout.indexOf('\nlate: '));
      expect(below).toContain(`port ${port} is held by web`);
      expect(below).toMatch(/^ {2}\| .*EADDRINUSE/m);
      expect(below).toContain(`  ${next}`);
    },
  );
});

describe('a program that goes to the background', () => {
  // It has left the session before it becomes `sleep`.
  const away = 'setsid sleep 1000 & until grep -qsx sleep /proc/$!/comm; do sleep 0.01; done; exit 0';

  scenario(
    'an attached start ends when a program went to the background and the others have ended',
    async (stage) => {
      const daemon = shell(away, { ...UNREADY, max_restarts: 0 });
      stage.declare(loose({ daemon, web: shell('echo here; exec sleep 1000') }));
      const attached = stage.begin(['start']);
      await holds('the error', () => attached.stderr().includes('ERR0118'));
      await holds('the output of the other', () => attached.stdout().includes('here'));
      attached.child.kill('SIGINT');
      expect((await attached.ended).status).toBe(1);
      await agree(stage, { web: 'stopped' });
    },
  );

  scenario(
    'a program that goes to the background is reported, and its processes are ended',
    async (stage) => {
      stage.declare(loose({ web: shell(away, { ...UNREADY, max_restarts: 0 }) }));
      const outcome = await stage.sup('start', '--daemonize');
      expectFailed(outcome, 'ERR0118');
      expect(outcome.stderr).toContain('left sleep (pid ');
      await agree(stage, { web: 'breaker-open' });
    },
  );

  scenario('a job that goes to the background and is never restarted is done', async (stage) => {
    await started(stage, loose({ job: shell(away, { ...UNREADY, restart_policy: 'never' }) }));
    await agree(stage, { job: 'done' });
  });
});
