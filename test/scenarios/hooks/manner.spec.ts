// Hooks: how they run. They delay nothing, change nothing, know what happened, and end at their timeout.
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { serviceLog, supervisorLog } from '../support/logs.ts';
import { fileComes, linesCome } from '../support/marks.ts';
import { everybody, type Process } from '../support/process-table.ts';
import { loose, script, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { kill } from '../support/supervisors.ts';
import { agree, come, expectDone, started } from '../support/witnesses.ts';

/** Sleepers of this scenario, by their argument. */
const sleepers = ({ work }: Stage, seconds: number): readonly Process[] =>
  everybody().filter(({ command, directory }) => command === `sleep ${seconds}` && directory === work);

describe('a hook', () => {
  scenario('a slow hook delays nothing, not even another hook', async (stage) => {
    const slow = { onstart: { command: 'sleep 2001', timeout: '10m' } };
    const names = Array.from({ length: 100 }, (_, index) => `s${index}`);
    stage.declare(
      loose({
        ...Object.fromEntries(names.map((name) => [name, steady({ hooks: slow })])),
        last: steady({ depends_on: names, hooks: { onstart: { command: 'echo quick >>hooks' } } }),
      }),
    );
    expectDone(await stage.sup('start', '--daemonize'));
    expect(await linesCome(stage, 'hooks', 1)).toEqual(['quick']);
    await holds('all hooks at work', () => sleepers(stage, 2001).length === 100);
    const stop = await stage.sup('stop');
    expectDone(stop);
    await agree(stage, { s0: 'stopped', last: 'stopped' });
    // A shutdown would wait for these hooks.
    sleepers(stage, 2001).forEach(kill);
  });

  scenario('a hook is killed with its children at its timeout, with a warning', async (stage) => {
    const onstart = { command: 'sleep 2002 & sleep 2002', timeout: '4s' };
    stage.declare(loose({ web: steady({ hooks: { onstart } }) }));
    const start = stage.begin(['start', '--daemonize']);
    await holds('the hook alive', () => sleepers(stage, 2002).length === 2);
    expectDone(await start.ended);
    await holds('the hook dead', () => sleepers(stage, 2002).length === 0);
    await agree(stage, { web: 'running' });
    await holds('a warning', () =>
      supervisorLog(stage).some((line) => /warn/i.test(line) && /onstart/.test(line)),
    );
  });

  scenario('a failed hook changes nothing', async (stage) => {
    const broken = { command: 'exit 9' };
    const hooks = { onstart: broken, onerr: broken, on_start: { success: { command: '/no/such/program' } } };
    await started(stage, loose({ web: steady({ hooks }) }));
    const { web } = await agree(stage, { web: 'running' });
    expect(web).toMatchObject({ error: null, reason: null });
    await holds('a line in the log', () => supervisorLog(stage).some((line) => line.includes('onstart')));
  });

  scenario('a hook gets the event in variables, and those of its service', async (stage) => {
    const names = [
      'SUP_HOOK',
      'SUP_PROJECT',
      'SUP_SERVICE',
      'SUP_EXIT_CODE',
      'SUP_EXIT_SIGNAL',
      'SUP_ATTEMPT',
      'SUP_ERROR',
      'COLOUR',
    ];
    const onerr = { command: `echo "${names.map((name) => `$${name}`).join('|')}|$(pwd)|$SUP_PID" >>hooks` };
    await started(
      stage,
      loose({
        it: script('until-told.sh', ['end'], {
          backoff: '50ms',
          hooks: { onerr },
          env: { vars: { COLOUR: 'blue' } },
        }),
      }),
    );
    const { it } = await agree(stage, { it: 'running' });
    stage.write('end', '3');
    const [line] = await linesCome(stage, 'hooks', 1);
    expect(line).toBe(`onerr|__loose__|it|3||1|ERR0101|blue|${stage.work}|${it.pid ?? ''}`);
    await come(stage, { it: 'running' });
  });

  scenario('a hook of a killed service gets the signal', async (stage) => {
    const onerr = { command: 'echo "$SUP_EXIT_CODE|$SUP_EXIT_SIGNAL" >>hooks' };
    await started(stage, loose({ it: steady({ backoff: '50ms', hooks: { onerr } }) }));
    const { it } = await agree(stage, { it: 'running' });
    process.kill(it.pid ?? 0, 'SIGKILL');
    expect(await linesCome(stage, 'hooks', 1)).toEqual(['|SIGKILL']);
    await come(stage, { it: 'running' });
  });

  scenario('a hook writes to the log of its service as stream hook', async (stage) => {
    await started(
      stage,
      loose({ web: steady({ hooks: { onstart: { command: 'echo from the hook; touch over' } } }) }),
    );
    await fileComes(stage, 'over');
    await holds('its line', () => serviceLog(stage, 'web').some((line) => / hook from the hook$/.test(line)));
    await agree(stage, { web: 'running' });
  });
});
