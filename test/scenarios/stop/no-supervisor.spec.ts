// Stop: a supervisor that is frozen, and none at all.
import { describe, expect } from 'vitest';
import { killSupervisor, supervisorPid } from '../support/own-death.ts';
import { loose, script, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, expectDone, expectFailed, serviceIn, started } from '../support/witnesses.ts';

describe('stopping without an answer', () => {
  scenario(
    'from a frozen supervisor is ERR0205 and no hang; status shows what is recorded',
    async (stage) => {
      await started(stage, loose({ web: steady() }));
      const { web } = await agree(stage, { web: 'running' });
      const pid = await supervisorPid(stage);
      process.kill(pid, 'SIGSTOP');
      try {
        const status = await stage.sup('status', '--json');
        // Far from the half minute after which a command gives up.
        expect(status.millis).toBeLessThan(10_000);
        expect(status.status).toBe(3);
        expect(status.stdout).toContain(`"pid":${web.pid ?? ''}`);
        const stop = await stage.sup('stop');
        expectFailed(stop, 'ERR0205');
        expect(stop.stderr).toContain(String(pid));
        const wait = await stage.sup('wait', 'web', '--for', 'stopped', '--timeout', '1s');
        expectFailed(wait, 'ERR0205', 124);
        expect(wait.millis).toBeLessThan(4_000);
      } finally {
        process.kill(pid, 'SIGCONT');
      }
      const after = await agree(stage, { web: 'running' });
      expect(after.web.pid).toBe(web.pid);
    },
  );

  scenario('because none runs stops what the last one recorded', async (stage) => {
    await started(
      stage,
      loose({
        family: script('family.sh', ['pids']),
        mule: script('stubborn.sh', [], { stop_timeout: '500ms' }),
      }),
    );
    await killSupervisor(stage);
    expect(stage.members().length).toBeGreaterThan(2);
    expectDone(await stage.sup('stop'));
    expect(stage.members()).toEqual([]);
    const { status, document } = await stage.status();
    expect(status).toBe(3);
    expect(serviceIn(document, 'family')).toMatchObject({ state: 'stopped', pid: null, wanted: 'down' });
  });

  scenario('and without anything recorded is ERR0206', async (stage) => {
    expectFailed(await stage.sup('stop'), 'ERR0206');
    expect((await stage.status()).status).toBe(3);
  });
});
