// Races: commands that cross each other. In the end nothing is left over and nothing is there twice.
import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { fileComes, linesCome } from '../support/marks.ts';
import { loose, program, project, script, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, expectDone, pass, serviceIn, started } from '../support/witnesses.ts';

describe('concurrent commands', () => {
  scenario('ten first starts at once start one supervisor and one process of each service', async (stage) => {
    stage.declare(project('shop', { web: script('stamped.sh', ['log', 'web']), db: steady() }));
    const starts = Array.from({ length: 10 }, () => stage.begin(['start', '--daemonize']).ended);
    (await Promise.all(starts)).forEach(expectDone);
    await agree(stage, { 'shop/web': 'running', 'shop/db': 'running' });
    expect(await linesCome(stage, 'log', 1)).toEqual(['up web']);
  });

  scenario('a start during a stop starts the service again after its end', async (stage) => {
    await started(stage, loose({ slow: program('slow-stop.mjs', ['log', '3000'], { stop_timeout: '30s' }) }));
    await linesCome(stage, 'log', 1);
    const stop = stage.begin(['stop', '--service', 'slow']);
    await pass(stage, { slow: 'stopping' });
    expectDone(await stage.sup('start', '--daemonize', '--service', 'slow'));
    const stopped = await stop.ended;
    expect(stopped.status === 0 || stopped.stderr.includes('ERR0117')).toBe(true);
    const { slow } = await agree(stage, { slow: 'running' });
    expect(slow).toMatchObject({ run: 2, wanted: 'up' });
    expect(await linesCome(stage, 'log', 3)).toEqual(['up', 'down', 'up']);
  });

  scenario('a stop during a start ends the start and its processes', async (stage) => {
    stage.declare(
      loose({ it: steady({ deployment: { pre_start: 'touch begun; sleep 1000' } }), other: steady() }),
    );
    const start = stage.begin(['start', '--daemonize']);
    await fileComes(stage, 'begun');
    expectDone(await stage.sup('stop', '--service', 'it'));
    const outcome = await start.ended;
    expect(outcome).toMatchObject({ status: 1 });
    expect(outcome.stderr).toContain('ERR0117');
    const { it } = await agree(stage, { it: 'stopped', other: 'running' });
    expect(it.wanted).toBe('down');
    await eventually({
      what: 'its pre_start gone',
      look: () => (stage.members().length === 1 ? true : undefined),
    });
  });

  scenario('after many concurrent starts, stops and restarts the last command holds', async (stage) => {
    await started(
      stage,
      loose({ a: steady(), b: steady({ depends_on: ['a'] }), c: script('family.sh', ['pids']) }),
    );
    const words = ['stop', 'start', 'restart', 'stop', 'restart', 'start', 'stop', 'restart'] as const;
    const storm = words.map(
      (word) => stage.begin(word === 'start' ? ['start', '--daemonize'] : [word]).ended,
    );
    for (const outcome of await Promise.all(storm)) expect(outcome.stderr).not.toMatch(/ERR0001|ERR0112/);
    expectDone(await stage.sup('start', '--daemonize'));
    await agree(stage, { a: 'running', b: 'running', c: 'running' });
    expectDone(await stage.sup('stop'));
    await agree(stage, { a: 'stopped', b: 'stopped', c: 'stopped' });
  });

  scenario('a shutdown during a start leaves no process', async (stage) => {
    stage.declare(
      loose({ first: steady({ deployment: { pre_start: 'touch begun; sleep 1000' } }), other: steady() }),
    );
    const start = stage.begin(['start', '--daemonize']);
    await fileComes(stage, 'begun');
    expectDone(await stage.sup('shutdown'));
    expect((await start.ended).status).toBe(1);
    expect(stage.members()).toEqual([]);
    const { status, document } = await stage.status();
    expect(status).toBe(3);
    expect(serviceIn(document, 'other')).toMatchObject({ pid: null, state: 'stopped' });
  });
});
