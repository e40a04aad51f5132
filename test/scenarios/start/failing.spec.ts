// Needs the native addon.
// Start: services that do not come up. Nothing of them is left running, and their siblings are unharmed.
import { describe, expect } from 'vitest';
import { chmodSync, existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { freePort } from '../support/free-port.ts';
import { fileComes } from '../support/marks.ts';
import { loose, program, script, shell, steady, UNREADY } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, come, errorOf, expectDone, expectFailed, pass } from '../support/witnesses.ts';

describe('a service that does not start', () => {
  scenario('a service that exits at once is ERR0102 with its last lines', async (stage) => {
    stage.declare(
      loose({
        bad: shell('echo no database >&2; exit 3', { ...UNREADY, restart_policy: 'never' }),
        good: steady(),
      }),
    );
    const outcome = await stage.sup('start', '--daemonize');
    expectFailed(outcome, 'ERR0102');
    expect(outcome.stderr).toMatch(/bad/);
    expect(outcome.stderr).toContain('no database');
    const { bad } = await agree(stage, { bad: 'failed', good: 'running' });
    expect(bad).toMatchObject({ error: { code: 'ERR0102' }, last_exit: { code: 3, signal: null } });
  });

  scenario(
    'a service is retried after its backoff while the command reports the first failure',
    async (stage) => {
      stage.declare(loose({ bad: shell('exit 1', { ...UNREADY, backoff: '1m' }), good: steady() }));
      const outcome = await stage.sup('start', '--daemonize', '--json');
      expect(outcome.status).toBe(1);
      expect(errorOf(outcome).code).toBe('ERR0102');
      const { bad } = await agree(stage, { bad: 'backoff', good: 'running' });
      expect(bad.next_attempt_at).not.toBeNull();
      expect(bad.reason).toMatch(/attempt 1 of 8/);
    },
  );

  scenario(
    'a service that crashes after it was ready fails the start that still waits for others',
    async (stage) => {
      stage.declare(
        loose({
          slow: steady({ deployment: { pre_start: 'while [ ! -e go ]; do sleep 0.05; done' } }),
          web: script('until-told.sh', ['web'], { backoff: '1m' }),
        }),
      );
      const start = stage.begin(['start', '--daemonize']);
      await pass(stage, { web: 'running' });
      stage.write('web', '7');
      await pass(stage, { web: 'backoff' });
      stage.write('go', '');
      const outcome = await start.ended;
      expectFailed(outcome, 'ERR0101');
      expect(outcome.stderr).toMatch(/web.* 7/);
      expect(outcome.stdout).toBe('');
      await agree(stage, { slow: 'running', web: 'backoff' });
    },
  );

  scenario(
    'several failed services are named together by ERR0106, without their dependents',
    async (stage) => {
      stage.declare(
        loose({
          one: shell('exit 1', { ...UNREADY, restart_policy: 'never' }),
          two: shell('exit 2', { ...UNREADY, restart_policy: 'never' }),
          good: steady(),
        }),
      );
      const outcome = await stage.sup('start', '--json');
      expect(errorOf(outcome)).toMatchObject({ code: 'ERR0106' });
      expect(errorOf(outcome).errors?.map(({ code, path }) => [code, path])).toEqual(
        expect.arrayContaining([
          ['ERR0102', 'one'],
          ['ERR0102', 'two'],
        ]),
      );
      expect(outcome.stderr).not.toContain('"good"');
      await agree(stage, { one: 'failed', two: 'failed', good: 'running' });
    },
  );

  scenario('a program for another machine is ERR0113', async (stage) => {
    chmodSync(stage.write('bad', '\u007fELF\u0002\u0001\u0001\0\0\0\0\0\0'), 0o755);
    const bad = steady({ exec: ['./bad'], restart_policy: 'never', limits: { nofile: 100 } });
    stage.declare(loose({ bad, good: steady() }));
    const outcome = await stage.sup('start', '--daemonize');
    expectFailed(outcome, 'ERR0113');
    expect(outcome.stderr).toContain('program ./bad is not made for this machine (ENOEXEC)');
    await agree(stage, { bad: 'failed', good: 'running' });
  });

  scenario('a service whose pre_start fails never starts: ERR0103', async (stage) => {
    const deployment = { pre_start: 'echo half done; exit 4' };
    stage.declare(
      loose({
        bad: shell('touch started; sleep 1000', { deployment, restart_policy: 'never' }),
        good: steady(),
      }),
    );
    const outcome = await stage.sup('start', '--daemonize');
    expectFailed(outcome, 'ERR0103');
    expect(outcome.stderr).toContain('half done');
    await agree(stage, { bad: 'failed', good: 'running' });
    expect(existsSync(`${stage.work}/started`)).toBe(false);
  });

  scenario('a hanging pre_start does not delay others and is given up with ERR0108', async (stage) => {
    stage.settings('<timeouts><pre_start_secs>12</pre_start_secs></timeouts>');
    const deployment = { pre_start: 'touch hanging; sleep 1000 & wait' };
    stage.declare(loose({ bad: steady({ deployment, restart_policy: 'never' }), good: steady() }));
    const start = stage.begin(['start', '--daemonize']);
    await fileComes(stage, 'hanging');
    await come(stage, { bad: 'starting', good: 'running' });
    expectDone(await stage.sup('restart', '--service', 'good'));
    expectFailed(await start.ended, 'ERR0108');
    await agree(stage, { bad: 'failed', good: 'running' });
    expect(stage.members().filter(({ command }) => command === 'sleep 1000')).toHaveLength(1);
  });

  scenario('a hanging skip command is given up with ERR0108, which names skip', async (stage) => {
    stage.settings('<timeouts><pre_start_secs>1</pre_start_secs></timeouts>');
    stage.declare(loose({ bad: steady({ skip: 'sleep 1000', restart_policy: 'never' }) }));
    const outcome = await stage.sup('start', '--daemonize');
    expectFailed(outcome, 'ERR0108');
    expect(outcome.stderr).toContain('its skip command was killed');
    expect(outcome.stderr).not.toContain('its pre_start');
    await agree(stage, { bad: 'failed' });
  });

  scenario('an address in use is ERR0105', async (stage) => {
    const holder = createServer();
    const port = await freePort();
    await new Promise<void>((settle) => holder.listen(port, '127.0.0.1', settle));
    try {
      const check = { interval: '200ms', url: `http://127.0.0.1:${port}/`, total_timeout: '5s' };
      stage.declare(
        loose({
          bad: program('server.mjs', [String(port)], {
            restart_policy: 'never',
            deployment: { health_check: check },
          }),
          good: steady(),
        }),
      );
      expectFailed(await stage.sup('start', '--daemonize'), 'ERR0105');
      await agree(stage, { bad: 'failed', good: 'running' });
    } finally {
      holder.close();
    }
  });

  scenario('a failed service keeps its dependents waiting, and they name it', async (stage) => {
    stage.declare(
      loose({
        db: shell('exit 1', { ...UNREADY, restart_policy: 'never' }),
        api: steady({ depends_on: ['db'] }),
      }),
    );
    const outcome = await stage.sup('start', '--json');
    expect(outcome.status).toBe(1);
    expect(errorOf(outcome)).toMatchObject({ code: 'ERR0102', path: 'db' });
    const { api } = await agree(stage, { db: 'failed', api: 'waiting' });
    expect(api.because_of).toHaveLength(1);
    expect(api.because_of[0]).toMatch(/db$/);
    expect(api.reason).toContain('db (failed)');
  });

  scenario('a service that exceeds start_settle_secs is ERR0107 and continues to start', async (stage) => {
    stage.settings('<timeouts><start_settle_secs>4</start_settle_secs></timeouts>');
    const deployment = { pre_start: 'while [ ! -e go ]; do sleep 0.05; done' };
    stage.declare(loose({ slow: steady({ deployment }), good: steady() }));
    const outcome = await stage.sup('start', '--daemonize');
    expectFailed(outcome, 'ERR0107');
    expect(outcome.stderr).toContain('slow');
    await agree(stage, { slow: 'starting', good: 'running' });
    stage.write('go', '');
    await come(stage, { slow: 'running', good: 'running' });
  });
});
