// Needs the native addon.
// A wall clock that is set while the supervisor runs, and an upgrade behind it: what is under way has the time that it had.
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { linesCome, linesOf } from '../support/marks.ts';
import { fixture, loose, steady, type Declared } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { expectDone, pass } from '../support/witnesses.ts';

const HOUR_MS = 3_600_000;

/** Under a supervisor whose clock can be set, as the watchman of an upgrade sees it too. */
const supervised = (stage: Stage, web: Declared): void => {
  stage.declare(loose({ web }));
  const environment = {
    NODE_OPTIONS: `--require=${fixture('clock.mjs')}`,
    CLOCK: join(stage.work, 'clock'),
  };
  stage.begin(['supervise', '-c', 'sup.yaml'], { environment });
};

describe('an upgrade after a clock change', () => {
  scenario(
    'after the clock was set forward an upgrade shortens no time limit of a command',
    async (stage) => {
      const pre_start = 'echo begun >>marks; sleep 4; echo done >>marks';
      supervised(stage, steady({ restart_policy: 'never', deployment: { pre_start } }));
      await linesCome(stage, 'marks', 1);
      stage.write('clock', String(HOUR_MS));
      expectDone(await stage.sup('upgrade'));
      await pass(stage, { web: 'running' });
      expect(linesOf(stage, 'marks')).toEqual(['begun', 'done']);
    },
  );

  scenario('after the clock was set back an upgrade delays no probe', async (stage) => {
    const health_check = { command: 'echo probe >>probes', interval: '2s' };
    supervised(stage, steady({ deployment: { health_check } }));
    await pass(stage, { web: 'running' });
    const { length } = await linesCome(stage, 'probes', 2);
    stage.write('clock', String(-HOUR_MS));
    expectDone(await stage.sup('upgrade'));
    await linesCome(stage, 'probes', length + 3);
  });
});
