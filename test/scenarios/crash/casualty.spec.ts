// Crash: dependents fall with what they depend on, and rise with it, bottom-up.
import { describe, expect } from 'vitest';
import { linesCome, linesOf } from '../support/marks.ts';
import { loose, script, steady, type Declared } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { agree, come, expectDone, started } from '../support/witnesses.ts';

/** Three levels; the lowest ends when the scenario says so, and its next start waits for a file. */
const tower = (more: Declared = {}): Declared =>
  loose({
    db: script('until-told.sh', ['end'], {
      backoff: 0,
      deployment: { pre_start: '[ ! -e fallen ] || while [ ! -e mended ]; do sleep 0.02; done' },
    }),
    api: script('stamped.sh', ['log', 'api'], {
      depends_on: ['db'],
      // It is ready when it has told so.
      deployment: {
        health_check: {
          command: '[ "$(grep -cx "up api" log)" -gt "$(grep -cx "down api" log)" ]',
          ...{ interval: '100ms', after_ready: 'off' },
        },
      },
      hooks: { onerr: { command: 'echo onerr api >>hooks' } },
    }),
    web: script('stamped.sh', ['log', 'web'], { depends_on: ['api'], restart_policy: 'never' }),
    ...more,
  });

const fell = async (stage: Stage): Promise<void> => {
  stage.write('fallen', '');
  stage.write('end', '7');
  await come(stage, { db: 'starting', api: 'casualty', web: 'casualty' });
};

describe('casualties', () => {
  scenario(
    'casualties fall over three levels at once and recover bottom-up without using their budget',
    async (stage) => {
      await started(stage, tower());
      await linesCome(stage, 'log', 2);
      await fell(stage);
      const down = await agree(stage, { db: 'starting', api: 'casualty', web: 'casualty' });
      expect(down.api.because_of.join()).toMatch(/db/);
      expect(down.api.reason).toMatch(/fell with db/);
      expect(down.web.reason).toMatch(/db|api/);
      stage.write('mended', '');
      const up = await come(stage, { db: 'running', api: 'running', web: 'running' });
      expect([up.db.restarts, up.api.restarts, up.web.restarts]).toEqual([1, 0, 0]);
      const log = await linesCome(stage, 'log', 6);
      expect([...log.slice(0, 2), ...log.slice(2, 4).toSorted(), ...log.slice(4)]).toEqual([
        'up api',
        'up web',
        'down api',
        'down web',
        'up api',
        'up web',
      ]);
      expect(linesOf(stage, 'hooks')).toEqual([]);
    },
  );

  scenario('a casualty that is stopped by hand stays down', async (stage) => {
    await started(stage, tower());
    await fell(stage);
    expectDone(await stage.sup('stop', '--service', 'web'));
    stage.write('mended', '');
    await come(stage, { db: 'running', api: 'running', web: 'stopped' });
  });

  scenario('the recovery of a casualty does not start a service that is to be skipped', async (stage) => {
    const more = { never: steady({ skip: true, depends_on: ['db'] }) };
    stage.declare(tower(more));
    await stage.sup('start', '--daemonize');
    await agree(stage, { db: 'running', never: 'skipped' });
    await fell(stage);
    stage.write('mended', '');
    const { never } = await come(stage, { db: 'running', api: 'running', web: 'running', never: 'skipped' });
    expect(never.run).toBe(0);
  });

  scenario('a casualty of two dependencies waits for both', async (stage) => {
    const lower = (name: string): Declared =>
      script('until-told.sh', [`end-${name}`], {
        backoff: 0,
        deployment: { pre_start: `[ ! -e fallen ] || while [ ! -e mended-${name} ]; do sleep 0.02; done` },
      });
    await started(
      stage,
      loose({ left: lower('left'), right: lower('right'), top: steady({ depends_on: ['left', 'right'] }) }),
    );
    stage.write('fallen', '');
    stage.write('end-left', '1');
    stage.write('end-right', '1');
    await come(stage, { left: 'starting', right: 'starting', top: 'casualty' });
    stage.write('mended-left', '');
    const { top } = await come(stage, { left: 'running', right: 'starting', top: 'casualty' });
    expect(top.reason).toMatch(/right/);
    stage.write('mended-right', '');
    await come(stage, { left: 'running', right: 'running', top: 'running' });
  });

  scenario('a dependent does not fall when its dependency ends successfully', async (stage) => {
    await started(stage, tower());
    const before = await agree(stage, { db: 'running', api: 'running', web: 'running' });
    stage.write('end', '0');
    const after = await come(stage, { db: 'stopped', api: 'running', web: 'running' });
    expect([after.api.pid, after.web.pid]).toEqual([before.api.pid, before.web.pid]);
  });
});
