// Stop: a supervisor that is frozen, and none at all.
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { serviceLog } from '../support/logs.ts';
import { fileComes } from '../support/marks.ts';
import { killSupervisor, supervisorPid } from '../support/own-death.ts';
import { loose, script, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { supervisors } from '../support/supervisors.ts';
import { agree, expectDone, expectFailed, serviceIn, started } from '../support/witnesses.ts';

describe('a stop without an answer', () => {
  scenario(
    'a stop with a frozen supervisor is ERR0205 without a hang; status shows the recorded state',
    async (stage) => {
      await started(stage, loose({ web: steady() }));
      const { web } = await agree(stage, { web: 'running' });
      const pid = await supervisorPid(stage);
      process.kill(pid, 'SIGSTOP');
      try {
        const status = await stage.begin(['status', '--json']).ended;
        // Far from the half minute after which a command gives up.
        expect(status.millis).toBeLessThan(25_000);
        expect(status.status).toBe(3);
        expect(status.stdout).toContain(`"pid":${web.pid ?? ''}`);
        const stop = await stage.sup('stop');
        expectFailed(stop, 'ERR0205');
        expect(stop.stderr).toContain(String(pid));
        const wait = await stage.sup('wait', 'web', '--for', 'stopped', '--timeout', '1s');
        expectFailed(wait, 'ERR0205', 124);
        expect(wait.millis).toBeLessThan(25_000);
      } finally {
        process.kill(pid, 'SIGCONT');
      }
      const after = await agree(stage, { web: 'running' });
      expect(after.web.pid).toBe(web.pid);
    },
  );

  scenario('shutdown --force kills a frozen supervisor, and its services continue', async (stage) => {
    const web = shell('seq 1 20; until [ -e go ]; do sleep 0.05; done; seq 21 2000; exec sleep 1000');
    await started(stage, loose({ web, db: steady() }));
    const before = await agree(stage, { web: 'running', db: 'running' });
    const frozen = await supervisorPid(stage);
    process.kill(frozen, 'SIGSTOP');
    stage.write('go', '');
    const stop = await stage.sup('stop');
    expect(stop.stderr).toMatch(/sup shutdown --force$/m);
    const forced = await stage.sup('shutdown', '--force');
    expectDone(forced);
    expect(forced.stderr).toContain(`the supervisor (pid ${frozen}) did not answer and was killed`);
    expect(forced.stdout).toContain('2 services go on: db, web');
    await holds('no guardian either', () => supervisors(stage).length === 0);
    expectDone(await stage.sup('start', '--daemonize'));
    const after = await agree(stage, { web: 'running', db: 'running' });
    expect([after.web.pid, after.db.pid]).toEqual([before.web.pid, before.db.pid]);
    await holds('all lines', () => serviceLog(stage, 'web').length >= 2000);
    const numbers = serviceLog(stage, 'web').map((line) => line.split(' ').at(-1));
    expect(numbers).toEqual(Array.from({ length: 2000 }, (_, at) => String(at + 1)));
  });

  scenario('shutdown --force with a supervisor that answers is an ordinary shutdown', async (stage) => {
    await started(stage, loose({ web: steady() }));
    const done = await stage.sup('shutdown', '--force');
    expectDone(done);
    expect(done.stdout).toContain('1 service stopped: web');
    expect(stage.members()).toEqual([]);
  });

  scenario('a stop without a supervisor stops what the last one recorded', async (stage) => {
    await started(
      stage,
      loose({
        family: script('family.sh', ['pids']),
        mule: script('stubborn.sh', [], { stop_timeout: '500ms' }),
      }),
    );
    await fileComes(stage, 'pids.ready');
    await killSupervisor(stage);
    expect(stage.members().length).toBeGreaterThan(2);
    expectDone(await stage.sup('stop'));
    expect(stage.members()).toEqual([]);
    const { status, document } = await stage.status();
    expect(status).toBe(3);
    expect(serviceIn(document, 'family')).toMatchObject({ state: 'stopped', pid: null, wanted: 'down' });
  });

  scenario('a stop without a supervisor and a record is ERR0206', async (stage) => {
    expectFailed(await stage.sup('stop'), 'ERR0206');
    expect((await stage.status()).status).toBe(3);
  });
});
