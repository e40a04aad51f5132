// Stop: a process that ignores the stop signal, and one that keeps a port.
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { freePort, isListening } from '../support/free-port.ts';
import { linesCome, linesOf } from '../support/marks.ts';
import { isAlive } from '../support/process-table.ts';
import { loose, program, script, shell } from '../support/recipes.ts';
import { serviceOf } from '../support/rollouts.ts';
import { scenario } from '../support/scenario.ts';
import { agree, come, expectDone, expectFailed, pass, started } from '../support/witnesses.ts';

describe('a service that takes its time to stop', () => {
  scenario('a stop reports a service that ignores SIGTERM, and kills it', async (stage) => {
    await started(stage, loose({ mule: script('stubborn.sh', ['deaf'], { stop_timeout: '4s' }) }));
    await linesCome(stage, 'deaf', 1);
    const stop = stage.begin(['stop']);
    await pass(stage, { mule: 'stopping' });
    expect((await serviceOf(stage, 'mule')).reason).toMatch(/SIGTERM|stop/);
    const outcome = await stop.ended;
    expectDone(outcome);
    expect(outcome.millis).toBeGreaterThan(3_500);
    const after = await agree(stage, { mule: 'stopped' });
    expect(after.mule.last_exit).toMatchObject({ code: null, signal: 'SIGKILL' });
  });

  scenario('a stop kills the whole tree, however many services stop at once', async (stage) => {
    const names = Array.from({ length: 10 }, (_, at) => `s${at}`);
    const tree = `(trap '' TERM; echo $(exec sh -c 'echo $PPID') >>child; exec sleep 1000) & wait`;
    await started(
      stage,
      loose(Object.fromEntries(names.map((name) => [name, shell(tree, { stop_timeout: '500ms' })]))),
    );
    const children = (await linesCome(stage, 'child', names.length)).map(Number);
    expectDone(await stage.sup('stop'));
    expect(children.filter(isAlive)).toEqual([]);
  });

  scenario('a service gets its own stop signal', async (stage) => {
    const polite = 'trap "echo told >>log; exit 0" USR1; trap "" TERM; while :; do sleep 0.05; done';
    await started(stage, loose({ polite: shell(polite, { stop_signal: 'SIGUSR1', stop_timeout: '60s' }) }));
    const stop = await stage.sup('stop');
    expectDone(stop);
    expect(stop.millis).toBeLessThan(59_000);
    await agree(stage, { polite: 'stopped' });
  });

  scenario('a service may start programs that clean up during its stop', async (stage) => {
    const tidy = `trap "sh -c 'sleep 0.3; echo cleaned >>log'; exit 0" TERM; echo up >>log; while :; do sleep 0.05; done`;
    await started(stage, loose({ tidy: shell(tidy, { stop_timeout: '30s' }) }));
    await linesCome(stage, 'log', 1);
    expectDone(await stage.sup('stop'));
    expect(linesOf(stage, 'log')).toEqual(['up', 'cleaned']);
    const { tidy: after } = await agree(stage, { tidy: 'stopped' });
    expect(after.last_exit).toMatchObject({ code: 0, signal: null });
  });

  scenario('the port of a service is free when stop returns', async (stage) => {
    const port = await freePort();
    await started(
      stage,
      loose({ holder: program('held-port.mjs', [String(port), '700'], { stop_timeout: '30s' }) }),
    );
    await holds('the port taken', () => isListening(port));
    const { holder } = await agree(stage, { holder: 'running' });
    expectDone(await stage.sup('stop'));
    expect(await isListening(port)).toBe(false);
    expect(isAlive(holder.pid ?? 0)).toBe(false);
    await agree(stage, { holder: 'stopped' });
  });

  scenario('a stop continues when the command has waited command_wait_secs: ERR0111', async (stage) => {
    await started(stage, loose({ mule: script('stubborn.sh', ['deaf'], { stop_timeout: '8s' }) }));
    await linesCome(stage, 'deaf', 1);
    // Commands read it each time: only this one is in a hurry.
    stage.settings('<timeouts><command_wait_secs>1</command_wait_secs></timeouts>');
    expectFailed(await stage.sup('stop'), 'ERR0111');
    stage.settings('');
    await pass(stage, { mule: 'stopping' });
    await come(stage, { mule: 'stopped' });
  });
});
