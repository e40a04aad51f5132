// Restart: new processes for selected services only.
import { describe, expect } from 'vitest';
import { linesOf } from '../support/marks.ts';
import { type Declared, loose, project, script, shell, steady, UNREADY } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, expectDone, started } from '../support/witnesses.ts';

/** Notes in `log` when it begins and ends, and is ready when it has noted its beginning. */
const noting = (name: string, more: Declared = {}): Declared =>
  script('stamped.sh', ['log', name], {
    deployment: { health_check: { command: `tail -n 1 log | grep -qx 'up ${name}'`, after_ready: 'off' } },
    ...more,
  });

describe('a restart', () => {
  scenario('a restart of everything gives each service a new process', async (stage) => {
    await started(stage, loose({ a: steady(), b: steady({ depends_on: ['a'] }) }));
    const before = await agree(stage, { a: 'running', b: 'running' });
    expectDone(await stage.sup('restart'));
    const after = await agree(stage, { a: 'running', b: 'running' });
    expect(after.a.pid).not.toBe(before.a.pid);
    expect(after.b.pid).not.toBe(before.b.pid);
    expect([after.a.run, after.b.run]).toEqual([2, 2]);
  });

  scenario('a restart of one service keeps the processes of its dependents', async (stage) => {
    await started(stage, loose({ db: steady(), api: steady({ depends_on: ['db'] }), other: steady() }));
    const before = await agree(stage, { db: 'running', api: 'running', other: 'running' });
    expectDone(await stage.sup('restart', '--service', 'db'));
    const after = await agree(stage, { db: 'running', api: 'running', other: 'running' });
    expect(after.db.pid).not.toBe(before.db.pid);
    expect([after.api.pid, after.other.pid]).toEqual([before.api.pid, before.other.pid]);
  });

  scenario('a restart leaves other projects alone', async (stage) => {
    await started(stage, {
      projects: {
        shop: { services: { web: steady(), db: steady() } },
        blog: { services: { web: steady() } },
      },
    });
    const before = await agree(stage, { 'shop/web': 'running', 'shop/db': 'running', 'blog/web': 'running' });
    expectDone(await stage.sup('restart', '-p', 'shop'));
    const after = await agree(stage, { 'shop/web': 'running', 'shop/db': 'running', 'blog/web': 'running' });
    expect(after['blog/web'].pid).toBe(before['blog/web'].pid);
    expect(after['shop/web'].pid).not.toBe(before['shop/web'].pid);
    expect(after['shop/db'].pid).not.toBe(before['shop/db'].pid);
  });

  scenario('a restart takes one service at a time, dependencies first', async (stage) => {
    await started(stage, loose({ web: noting('web', { depends_on: ['db'] }), db: noting('db') }));
    expectDone(await stage.sup('restart'));
    expect(linesOf(stage, 'log').slice(2)).toEqual(['down db', 'up db', 'down web', 'up web']);
  });

  scenario('a restart leaves a finished one-shot done', async (stage) => {
    await started(
      stage,
      project('shop', {
        migrate: shell('echo migrated >>log', UNREADY),
        web: steady({ depends_on: ['migrate'] }),
      }),
    );
    expectDone(await stage.sup('restart'));
    const { 'shop/migrate': migrate } = await agree(stage, { 'shop/migrate': 'done', 'shop/web': 'running' });
    expect(migrate.run).toBe(1);
    expect(linesOf(stage, 'log')).toEqual(['migrated']);
  });

  scenario('a restart starts stopped services', async (stage) => {
    await started(stage, loose({ a: steady() }));
    expectDone(await stage.sup('stop', '--service', 'a'));
    expectDone(await stage.sup('restart', '--service', 'a'));
    await agree(stage, { a: 'running' });
  });

  scenario('a failed restart names only the services that did not start: ERR0302', async (stage) => {
    stage.write('word', 'fine\n');
    await started(
      stage,
      loose({
        fickle: shell('grep -q fine word && echo ready && exec sleep 1000; exit 5', {
          restart_policy: 'never',
          deployment: { health_check: { log: '^ready$' } },
        }),
        good: steady(),
      }),
    );
    stage.write('word', 'bad\n');
    const outcome = await stage.sup('restart', '--json');
    expect(outcome.status).toBe(1);
    const { error } = JSON.parse(outcome.stderr) as {
      error: { code: string; errors: { code: string; path: string }[] };
    };
    expect(error.code).toBe('ERR0302');
    expect(error.errors.map(({ code, path }) => [code, path])).toEqual([['ERR0102', 'fickle']]);
    await agree(stage, { fickle: 'failed', good: 'running' });
  });
});
