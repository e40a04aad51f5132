// Stop: a service, a project, everything; again and again.
import { describe, expect } from 'vitest';
import { linesCome, linesOf } from '../support/marks.ts';
import { killSupervisor } from '../support/own-death.ts';
import { loose, project, script, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, expectDone, expectFailed, pass, started } from '../support/witnesses.ts';

describe('a stop', () => {
  scenario('a stop of one service leaves the others alone', async (stage) => {
    await started(stage, loose({ a: steady(), b: steady() }));
    const before = await agree(stage, { a: 'running', b: 'running' });
    expectDone(await stage.sup('stop', '--service', 'a'));
    const after = await agree(stage, { a: 'stopped', b: 'running' });
    expect(after.b.pid).toBe(before.b.pid);
    expect(after.a).toMatchObject({ wanted: 'down', error: null, reason: 'stopped on request' });
  });

  scenario('a stop of one project leaves the others alone', async (stage) => {
    await started(stage, {
      projects: {
        shop: { services: { web: steady(), db: steady() } },
        blog: { services: { web: steady() } },
      },
    });
    expectDone(await stage.sup('stop', '-p', 'shop'));
    await agree(stage, { 'shop/web': 'stopped', 'shop/db': 'stopped', 'blog/web': 'running' });
  });

  scenario(
    'a stop of everything stops dependents before their dependencies; the supervisor stays',
    async (stage) => {
      const patient = { stop_timeout: '30s' };
      await started(
        stage,
        project('shop', {
          db: script('stamped.sh', ['log', 'db'], patient),
          api: script('stamped.sh', ['log', 'api'], { ...patient, depends_on: ['db'] }),
          web: script('stamped.sh', ['log', 'web'], { ...patient, depends_on: ['api'] }),
        }),
      );
      await linesCome(stage, 'log', 3);
      expectDone(await stage.sup('stop'));
      expect(linesOf(stage, 'log').slice(-3)).toEqual(['down web', 'down api', 'down db']);
      await agree(stage, { 'shop/db': 'stopped', 'shop/api': 'stopped', 'shop/web': 'stopped' });
      expect((await stage.status()).document.supervisor.running).toBe(true);
    },
  );

  scenario('a stop ends independent services in parallel', async (stage) => {
    const slow = { stop_timeout: '5s' };
    await started(
      stage,
      loose({
        a: script('stubborn.sh', ['deaf'], slow),
        b: script('stubborn.sh', ['deaf'], slow),
        c: script('stubborn.sh', ['deaf'], slow),
      }),
    );
    await linesCome(stage, 'deaf', 3);
    const stop = stage.begin(['stop']);
    await pass(stage, { a: 'stopping', b: 'stopping', c: 'stopping' });
    expectDone(await stop.ended);
    await agree(stage, { a: 'stopped', b: 'stopped', c: 'stopped' });
  });

  scenario('a second stop gives the same answer', async (stage) => {
    await started(stage, loose({ a: steady() }));
    expectDone(await stage.sup('stop', '--service', 'a'));
    expectDone(await stage.sup('stop', '--service', 'a'));
    expectDone(await stage.sup('stop'));
    const { a } = await agree(stage, { a: 'stopped' });
    expect(a.run).toBe(1);
  });

  scenario('a stop of a service leaves its dependents alone', async (stage) => {
    await started(stage, loose({ db: steady(), api: steady({ depends_on: ['db'] }) }));
    const before = await agree(stage, { db: 'running', api: 'running' });
    expectDone(await stage.sup('stop', '--service', 'db'));
    const after = await agree(stage, { db: 'stopped', api: 'running' });
    expect(after.api.pid).toBe(before.api.pid);
  });

  scenario('a stop refuses an undeclared service and project', async (stage) => {
    await started(stage, loose({ web: steady() }));
    const refused = await stage.sup('stop', '--service', 'wbe');
    expectFailed(refused, 'ERR0202');
    expect(refused.stderr).toContain('web');
    expectFailed(await stage.sup('stop', '-p', 'nowhere'), 'ERR0202');
    await agree(stage, { web: 'running' });
  });

  scenario('a stopped service stays stopped after a restart of the supervisor', async (stage) => {
    await started(stage, loose({ a: steady(), b: steady() }));
    expectDone(await stage.sup('stop', '--service', 'a'));
    await killSupervisor(stage);
    expectDone(await stage.sup('start', '--daemonize', '--service', 'b'));
    await agree(stage, { a: 'stopped', b: 'running' });
  });
});
