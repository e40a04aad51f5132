// What an attached start says beside the output of services: what it did, and what happened since.
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { killSupervisor } from '../support/own-death.ts';
import { loose, shell, steady, UNREADY } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { expectDone, pass, started } from '../support/witnesses.ts';

describe('an attached start', () => {
  scenario('an attached start reports crashes, recoveries, other commands and the end', async (stage) => {
    stage.declare(
      loose({
        web: shell('echo hello; exec sleep 1000', { backoff: '1s' }),
        db: steady(),
        job: { exec: ['true'], restart_policy: 'never', ...UNREADY },
      }),
    );
    const attached = stage.begin(['start']);
    const told = (text: RegExp) => () => text.test(attached.stderr());
    await holds('what it did', told(/^2 services started: .*\n1 service done: job$/m));
    for (const { pid } of stage.members('web')) process.kill(pid, 'SIGKILL');
    await holds('the crash', told(/^web crashed: .*killed by SIGKILL/m));
    await holds('the return', told(/^web ready again, pid \d+/m));
    expectDone(await stage.sup('stop', 'db'));
    await holds('the stop', told(/^db was stopped elsewhere$/m));
    await killSupervisor(stage);
    const { status, stderr, stdout } = await attached.ended;
    expect([status, stdout]).toEqual([1, expect.stringMatching(/^web +\| hello$/m)]);
    expect(stderr).toMatch(/^ERR0206 the supervisor ended/m);
  });

  scenario('an attached start that fails ends with the commands that show more', async (stage) => {
    await started(stage, loose({ good: steady() }));
    const bad = shell('echo no luck; exit 3', { restart_policy: 'never', ...UNREADY });
    stage.declare(loose({ good: steady(), bad }));
    const failed = await stage.sup('start', '--daemonize');
    expect(failed.status).toBe(1);
    expect(failed.stderr).toMatch(/^more: sup why bad(; sup logs bad -n 50)?$/m);
    await pass(stage, { bad: 'failed' });
    expect((await stage.sup('status')).stdout).toMatch(/^more: sup why bad$/m);
    expect((await stage.sup('why')).stdout).toMatch(/\| no luck$/m);
  });
});
