// A wall clock that is set while services run: what is counted of them goes on as if nothing had happened.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe } from 'vitest';
import { holds } from '../support/eventually.ts';
import { supervisorLog } from '../support/logs.ts';
import { linesCome } from '../support/marks.ts';
import { fixture, loose, steady, type Declared } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { pass } from '../support/witnesses.ts';

const HOUR_MS = 3_600_000;

const checked = (window: string): Declared =>
  steady({
    restart_policy: 'never',
    deployment: {
      health_check: {
        command: 'echo probe >>probes; test -e ok',
        interval: '200ms',
        retries: 2,
        total_timeout: window,
      },
    },
  });

/** Under a supervisor whose clock can be set. */
const supervised = (stage: Stage, window: string): void => {
  stage.declare(loose({ web: checked(window) }));
  const environment = {
    NODE_OPTIONS: `--import=${pathToFileURL(fixture('clock.mjs')).href}`,
    CLOCK: join(stage.work, 'clock'),
  };
  stage.begin(['supervise', '-c', 'sup.yaml'], { environment });
};

/** The supervisor compares its clocks now and then. */
const clockLogged = (stage: Stage, text: RegExp): Promise<void> =>
  holds('a line about the clock', () => supervisorLog(stage).some((line) => text.test(line)));

describe('a clock change during a failing health check', () => {
  scenario('a clock that is set forward does not shorten the window of a health check', async (stage) => {
    supervised(stage, '60s');
    const { length } = await linesCome(stage, 'probes', 3);
    stage.write('clock', String(HOUR_MS));
    await linesCome(stage, 'probes', length + 5);
    stage.write('ok', '');
    await pass(stage, { web: 'running' });
    await clockLogged(stage, /the clock went forward by (1 h|59 min 59 s)/);
  });

  scenario('a clock that is set back does not extend the window of a health check', async (stage) => {
    supervised(stage, '6s');
    await linesCome(stage, 'probes', 3);
    stage.write('clock', String(-HOUR_MS));
    await pass(stage, { web: 'failed' });
    await clockLogged(stage, /the clock was set back by (1 h|59 min 59 s)/);
  });
});
