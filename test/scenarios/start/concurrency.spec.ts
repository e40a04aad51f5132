// Start: `start/max_concurrent` bounds how many services are on their way at once, as seen by their pre_start.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { fileComes, linesCome, linesOf } from '../support/marks.ts';
import { goOn, killWith } from '../support/own-death.ts';
import { loose, steady, type Declared } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { agree, come, expectDone, started } from '../support/witnesses.ts';

const UNTIL_GO = 'until [ -e go ]; do sleep 0.05; done';
const STEPS = { deployment: { pre_start: `echo + >>log; ${UNTIL_GO}; sleep 0.25; echo - >>log` } };
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];

const services: Declared = loose(Object.fromEntries(NAMES.map((name) => [name, steady(STEPS)])));

/** The most that were under way at the same moment. */
const overlap = (stage: Stage): number => {
  let now = 0;
  return Math.max(...linesOf(stage, 'log').map((line) => (now += line === '+' ? 1 : -1)));
};

describe('max_concurrent', () => {
  for (const [allowed, most] of [
    [1, 1],
    [3, 3],
    [-1, 6],
  ] as const)
    scenario(`max_concurrent ${allowed} lets ${most} of six services start at once`, async (stage) => {
      stage.settings(`<start><max_concurrent>${allowed}</max_concurrent></start>`);
      stage.declare(services);
      const start = stage.begin(['start', '--daemonize']);
      await linesCome(stage, 'log', most);
      stage.write('go', '');
      expectDone(await start.ended);
      expect(linesOf(stage, 'log')).toHaveLength(12);
      expect(overlap(stage)).toBe(most);
      await agree(stage, Object.fromEntries(NAMES.map((name) => [name, 'running' as const])));
    });

  scenario(
    'max_concurrent 2 lets two services restart at once that died with the supervisor',
    async (stage) => {
      stage.settings('<start><max_concurrent>2</max_concurrent></start>');
      stage.write('go', '');
      await started(stage, services);
      const running = Object.fromEntries(NAMES.map((name) => [name, 'running' as const]));
      await killWith(stage, Object.values(await agree(stage, running)));
      stage.write('log', '');
      rmSync(join(stage.work, 'go'));
      await goOn(stage);
      await linesCome(stage, 'log', 2);
      stage.write('go', '');
      await come(stage, running);
      expect(linesOf(stage, 'log')).toHaveLength(12);
      expect(overlap(stage)).toBe(2);
    },
  );

  scenario('a service that is stopped in the queue never starts', async (stage) => {
    stage.settings('<start><max_concurrent>1</max_concurrent></start>');
    stage.declare(
      loose({
        first: steady({ deployment: { pre_start: 'touch begun; while [ ! -e go ]; do sleep 0.05; done' } }),
        queued: steady({ deployment: { pre_start: 'touch second' } }),
      }),
    );
    const start = stage.begin(['start', '--daemonize']);
    await fileComes(stage, 'begun');
    await agree(stage, { first: 'starting', queued: 'waiting' });
    await stage.sup('stop', '--service', 'queued');
    stage.write('go', '');
    await start.ended;
    await agree(stage, { first: 'running', queued: 'stopped' });
    expect(existsSync(`${stage.work}/second`)).toBe(false);
  });
});
