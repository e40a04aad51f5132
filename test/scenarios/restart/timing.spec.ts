// Restart: in the middle of things. No orphan, no duplicate, and in the end it runs.
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { fileComes, linesCome } from '../support/marks.ts';
import { loose, program, script, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, come, expectDone, pass, started } from '../support/witnesses.ts';

describe('a restart at an awkward moment', () => {
  scenario('twelve restarts at once leave one process of each service', async (stage) => {
    await started(stage, loose({ a: steady(), family: script('family.sh', ['pids']) }));
    const restarts = Array.from({ length: 12 }, () => stage.begin(['restart']).ended);
    const outcomes = await Promise.all(restarts);
    outcomes.forEach(expectDone);
    const { family } = await agree(stage, { a: 'running', family: 'running' });
    expect(family.run).toBeGreaterThan(1);
    await fileComes(stage, 'pids.ready');
    expect(stage.members('a')).toHaveLength(1);
  });

  scenario(
    'a restart of a service that waits for its dependency keeps it waiting, and it starts when that is ready',
    async (stage) => {
      const db = steady({ deployment: { pre_start: 'touch begun; while [ ! -e go ]; do sleep 0.05; done' } });
      stage.declare(loose({ db, api: steady({ depends_on: ['db'] }) }));
      const start = stage.begin(['start', '--daemonize']);
      await fileComes(stage, 'begun');
      stage.declare(loose({ db, api: steady({ depends_on: ['db'], exec: ['sleep', '999'] }) }));
      const restart = stage.begin(['restart', '--service', 'api']);
      await holds('the new declaration', async () => {
        const [waiting] = (await stage.inspect('api')).services;
        return [waiting?.command].flat().join(' ') === 'sleep 999';
      });
      await agree(stage, { db: 'starting', api: 'waiting' });
      stage.write('go', '');
      expectDone(await restart.ended);
      expectDone(await start.ended);
      const { api } = await agree(stage, { db: 'running', api: 'running' });
      expect(api.run).toBe(1);
    },
  );

  scenario('a restart of a service in backoff starts it at once', async (stage) => {
    stage.declare(loose({ flaky: script('flaky.sh', ['starts', '1'], { backoff: '10m' }) }));
    await stage.sup('start', '--daemonize');
    await come(stage, { flaky: 'backoff' });
    expectDone(await stage.sup('restart', '--service', 'flaky'));
    await agree(stage, { flaky: 'running' });
    expect(await linesCome(stage, 'starts', 2)).toHaveLength(2);
  });

  scenario('a restart of a service that is stopping starts it after its end', async (stage) => {
    const slow = program('slow-stop.mjs', ['log', '3000'], { stop_timeout: '30s' });
    await started(stage, loose({ slow }));
    await linesCome(stage, 'log', 1);
    const stop = stage.begin(['stop', '--service', 'slow']);
    await pass(stage, { slow: 'stopping' });
    expectDone(await stage.sup('restart', '--service', 'slow'));
    await stop.ended;
    await agree(stage, { slow: 'running' });
    expect(await linesCome(stage, 'log', 3)).toEqual(['up', 'down', 'up']);
  });

  scenario('a restart of a service that is starting restarts it', async (stage) => {
    stage.settings('<timeouts><startup_stability_ms>1500</startup_stability_ms></timeouts>');
    stage.declare(loose({ a: steady() }));
    const start = stage.begin(['start', '--daemonize']);
    await holds('its process', () => stage.members('a').length === 1);
    const [before] = stage.members('a');
    expectDone(await stage.sup('restart', '--service', 'a'));
    await start.ended;
    const { a } = await agree(stage, { a: 'running' });
    expect(a.pid).not.toBe(before?.pid);
  });
});
