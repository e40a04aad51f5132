// Own death: killed while services are on their way somewhere. The next supervisor goes on from there.
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { linesCome, linesOf } from '../support/marks.ts';
import { goOn, killSupervisor, onDisk } from '../support/own-death.ts';
import { isSame } from '../support/process-table.ts';
import { loose, program, script, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, come, expectDone, pass, serviceIn, started } from '../support/witnesses.ts';

describe('a supervisor that is killed', () => {
  scenario('after a kill during a backoff the count is the same', async (stage) => {
    stage.declare(
      loose({
        bad: script('flaky.sh', ['starts', '99'], { max_restarts: 3, backoff: { initial: '3s', max: '3s' } }),
      }),
    );
    await stage.sup('start', '--daemonize');
    await pass(stage, { bad: 'backoff' });
    await onDisk(stage, '__loose__', '"tag":"backing-off"');
    await killSupervisor(stage);
    await goOn(stage);
    const { bad } = await come(stage, { bad: 'breaker-open' });
    expect(linesOf(stage, 'starts')).toHaveLength(4);
    expect(bad.error?.code).toBe('ERR0110');
    await killSupervisor(stage);
    await goOn(stage);
    const after = await agree(stage, { bad: 'breaker-open' });
    expect(after.bad.error?.code).toBe('ERR0110');
  });

  scenario(
    'a kill while a service starts leaves nothing of that start, and the service starts',
    async (stage) => {
      const pre_start = 'echo run >>prepared; while [ ! -e go ]; do sleep 0.05; done; echo run >>done';
      stage.declare(
        loose({ it: steady({ deployment: { pre_start } }), top: steady({ depends_on: ['it'] }) }),
      );
      const start = stage.begin(['start', '--daemonize']);
      await linesCome(stage, 'prepared', 1);
      await killSupervisor(stage);
      expect((await start.ended).status).toBe(1);
      await goOn(stage);
      await linesCome(stage, 'prepared', 2);
      stage.write('go', '');
      await come(stage, { it: 'running', top: 'running' });
      expect(linesOf(stage, 'done')).toEqual(['run']);
    },
  );

  scenario(
    'after a kill during a burst of starts the next supervisor adopts what has started, recorded or not',
    async (stage) => {
      const names = Array.from({ length: 120 }, (_, at) => `s${at}`);
      const crowd = names.map((name) => [name, shell('echo up >>ups; exec sleep 1000')] as const);
      stage.declare(loose(Object.fromEntries(crowd)));
      const start = stage.begin(['start', '--daemonize']);
      await holds('some have begun', () => linesOf(stage, 'ups').length >= 20);
      await killSupervisor(stage);
      const begun = stage.members();
      await start.ended;
      await goOn(stage);
      await come(stage, Object.fromEntries(names.map((name) => [name, 'running'])));
      expect(await linesCome(stage, 'ups', names.length)).toHaveLength(names.length);
      expect(begun.filter((one) => !isSame(one))).toEqual([]);
    },
  );

  scenario('after a kill during a stop the next supervisor finishes the stop', async (stage) => {
    await started(
      stage,
      loose({ slow: program('slow-stop.mjs', ['log', '3000'], { stop_timeout: '30s' }), other: steady() }),
    );
    await linesCome(stage, 'log', 1);
    const stop = stage.begin(['stop', '--service', 'slow']);
    await pass(stage, { slow: 'stopping' });
    await killSupervisor(stage);
    await stop.ended;
    await goOn(stage);
    await come(stage, { slow: 'stopped', other: 'running' });
    expect(linesOf(stage, 'log')).toEqual(['up', 'down']);
  });

  scenario('after a kill the next supervisor recovers casualties in time', async (stage) => {
    const pre_start = '[ ! -e fallen ] || while [ ! -e mended ]; do sleep 0.05; done';
    await started(
      stage,
      loose({
        db: script('until-told.sh', ['end'], { backoff: 0, deployment: { pre_start } }),
        api: steady({ depends_on: ['db'] }),
      }),
    );
    stage.write('fallen', '');
    stage.write('end', '1');
    await come(stage, { db: 'starting', api: 'casualty' });
    await killSupervisor(stage);
    await goOn(stage);
    await agree(stage, { db: 'starting', api: 'casualty' });
    stage.write('mended', '');
    await come(stage, { db: 'running', api: 'running' });
  });

  scenario('a kill right after an acknowledged command does not undo it', async (stage) => {
    await started(stage, loose({ a: steady(), b: steady() }));
    for (let round = 0; round < 4; round += 1) {
      expectDone(await stage.sup('stop', '--service', 'a'));
      await killSupervisor(stage);
      await goOn(stage);
      await agree(stage, { a: 'stopped', b: 'running' });
      expectDone(await stage.sup('start', '--daemonize', '--service', 'a'));
      await killSupervisor(stage);
      await goOn(stage);
      await agree(stage, { a: 'running', b: 'running' });
    }
  });

  scenario('a kill right after an acknowledged stop does not undo it, even under load', async (stage) => {
    const flapping = (name: string) =>
      [name, shell('sleep 0.05; exit 1', { backoff: '20ms', max_restarts: 10_000 })] as const;
    const busy = Object.fromEntries(['b1', 'b2', 'b3', 'b4', 'b5'].map(flapping));
    stage.declare(loose({ ...busy, a: steady(), c: steady() }));
    await stage.sup('start', '--daemonize');
    for (let round = 0; round < 3; round += 1) {
      expectDone(await stage.sup('start', '--daemonize', '--service', 'a'));
      expectDone(await stage.sup('stop', '--service', 'a'));
      await killSupervisor(stage);
      await goOn(stage);
      const { document } = await stage.status();
      expect(serviceIn(document, 'a')).toMatchObject({ wanted: 'down', state: 'stopped' });
    }
  });
});
