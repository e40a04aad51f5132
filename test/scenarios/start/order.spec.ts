// Start: only `depends_on` orders a start, and a dependent waits for readiness.
import { describe, expect } from 'vitest';
import { linesCome, linesOf } from '../support/marks.ts';
import { loose, script, shell, steady, UNREADY, type Declared } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, come, errorOf, expectDone, expectFailed, pass, started } from '../support/witnesses.ts';

const at = (iso: string | null): number => Date.parse(iso ?? '');

/** Is ready when it has written this line into the log. */
const readyWith = (line: string): Declared => ({
  deployment: { health_check: { command: `grep -qsx "${line}" log` } },
});

describe('the order of a start', () => {
  scenario('a start follows depends_on and not the position in the manifest', async (stage) => {
    stage.declare(
      loose({
        site: script('stamped.sh', ['log', 'site'], { ...readyWith('up site'), depends_on: ['api'] }),
        api: script('stamped.sh', ['log', 'api'], { ...readyWith('up api'), depends_on: ['db'] }),
        db: script('stamped.sh', ['log', 'db'], readyWith('up db')),
      }),
    );
    expectDone(await stage.sup('start', '--daemonize'));
    expect(linesOf(stage, 'log')).toEqual(['up db', 'up api', 'up site']);
    const { db, api, site } = await agree(stage, { db: 'running', api: 'running', site: 'running' });
    expect(at(api.started_at)).toBeGreaterThanOrEqual(at(db.ready_at));
    expect(at(site.started_at)).toBeGreaterThanOrEqual(at(api.ready_at));
  });

  scenario('services without a dependency between them start at the same time', async (stage) => {
    // None is ready before all of them run.
    const deployment = { health_check: { command: '[ -e a ] && [ -e b ] && [ -e c ]', retries: 1_000 } };
    const one = shell('touch $SUP_SERVICE; exec sleep 1000', { deployment });
    stage.declare(loose({ a: one, b: one, c: one }));
    expectDone(await stage.sup('start', '--daemonize'));
    const { a, b, c } = await agree(stage, { a: 'running', b: 'running', c: 'running' });
    const lastStart = Math.max(...[a, b, c].map((one) => at(one.started_at)));
    const firstReady = Math.min(...[a, b, c].map((one) => at(one.ready_at)));
    expect(lastStart).toBeLessThanOrEqual(firstReady);
  });

  scenario(
    'a start waits for a one-shot to finish, and a finished one satisfies a dependency',
    async (stage) => {
      stage.declare(
        loose({
          migrate: shell('sleep 0.5; echo migrated >>log'),
          web: script('stamped.sh', ['log', 'web'], {
            depends_on: [{ service: 'migrate', condition: 'completed' }],
          }),
        }),
      );
      expectDone(await stage.sup('start', '--daemonize'));
      expect(await linesCome(stage, 'log', 2)).toEqual(['migrated', 'up web']);
      await agree(stage, { migrate: 'done', web: 'running' });
    },
  );

  scenario('a service starts and stays up without a dependency that is not required', async (stage) => {
    stage.settings('<timeouts><startup_stability_ms>2000</startup_stability_ms></timeouts>');
    const soft = (name: string) => ({ depends_on: [{ service: name, required: false }] });
    stage.declare(
      loose({
        cache: shell('sleep 0.5; echo cache >>log; exit 3', { ...UNREADY, restart_policy: 'never' }),
        web: script('stamped.sh', ['log', 'web'], soft('cache')),
        db: steady({ restart_policy: 'never' }),
        api: steady(soft('db')),
      }),
    );
    expect(errorOf(await stage.sup('start', '--daemonize', '--json'))).toMatchObject({ path: 'cache' });
    expect(await linesCome(stage, 'log', 2)).toEqual(['cache', 'up web']);
    const { db, api } = await agree(stage, {
      cache: 'failed',
      web: 'running',
      db: 'running',
      api: 'running',
    });
    expect(at(api.started_at)).toBeGreaterThanOrEqual(at(db.ready_at));
    expectDone(await stage.sup('kill', 'db', '--signal', 'KILL'));
    const after = await come(stage, { db: 'failed', api: 'running' });
    expect(after.api).toMatchObject({ run: 1, restarts: 0 });
    expectDone(await stage.sup('stop'));
    const again = await stage.sup('start', '--daemonize', '--service', 'web');
    expect(again, again.stderr).toMatchObject({ status: 0 });
    expect(again.stderr).toContain('cache did not come up (ERR0102)');
  });

  scenario('a one-shot that fails late is named, not its dependents', async (stage) => {
    const mig = shell('until [ -e go ]; do sleep 0.05; done; exit 4', { restart_policy: 'never' });
    const web = steady({ depends_on: [{ service: 'mig', condition: 'completed' }] });
    stage.declare(loose({ mig, web }));
    const start = stage.begin(['start', '--daemonize', '--json']);
    await pass(stage, { mig: 'running', web: 'waiting' });
    stage.write('go', '');
    const error = errorOf(await start.ended);
    expect(error).toMatchObject({ code: 'ERR0101', path: 'mig' });
    await agree(stage, { mig: 'failed', web: 'waiting' });
  });

  scenario('a start by name starts the dependencies of the service and no other', async (stage) => {
    stage.declare(
      loose({
        db: steady(),
        api: steady({ depends_on: ['db'] }),
        other: steady(),
      }),
    );
    expectDone(await stage.sup('start', '--daemonize', '--service', 'api'));
    await agree(stage, { db: 'running', api: 'running', other: 'stopped' });
  });

  scenario(
    'a dependent waits until its dependency becomes ready after all, and then starts by itself',
    async (stage) => {
      // Only the third run is ready, however long the others take to exit.
      const deployment = { health_check: { command: 'test "$(wc -l <starts)" -gt 2', retries: 1_000 } };
      stage.declare(
        loose({
          db: script('flaky.sh', ['starts', '2'], { deployment, backoff: '300ms' }),
          api: steady({ depends_on: ['db'] }),
        }),
      );
      await stage.sup('start', '--daemonize');
      const { api } = await come(stage, { db: 'running', api: 'running' });
      expect(api).toMatchObject({ run: 1, restarts: 0 });
    },
  );

  scenario('a dependent of a failed one-shot never starts', async (stage) => {
    stage.declare(
      loose({
        migrate: shell('exit 1', { ...UNREADY, restart_policy: 'never' }),
        web: script('stamped.sh', ['log', 'web'], {
          depends_on: [{ service: 'migrate', condition: 'completed' }],
        }),
      }),
    );
    expectFailed(await stage.sup('start', '--daemonize'), 'ERR0102');
    await agree(stage, { migrate: 'failed', web: 'waiting' });
    expect(linesOf(stage, 'log')).toEqual([]);
  });

  scenario('a service is skipped if its skip command succeeds and started if it fails', async (stage) => {
    await started(stage, loose({ no: steady({ skip: 'true' }), yes: steady({ skip: 'exit 1' }) }));
    await agree(stage, { no: 'skipped', yes: 'running' });
  });
});
