// Races: services and hooks that command the supervisor they run under.
import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { linesCome } from '../support/marks.ts';
import { loose, script, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { come, serviceIn, started } from '../support/witnesses.ts';

describe('a command from inside a service', () => {
  scenario('a service can restart itself', async (stage) => {
    const itself = shell(
      `echo up >>log; [ "$(wc -l <log)" = 1 ] && ${stage.line('restart', '--service', 'it')}; exec sleep 1000`,
    );
    stage.declare(loose({ it: itself }));
    await stage.sup('start', '--daemonize');
    expect(await linesCome(stage, 'log', 2)).toEqual(['up', 'up']);
    const { it } = await come(stage, { it: 'running' });
    expect(it.run).toBe(2);
  });

  scenario('a service can stop itself', async (stage) => {
    stage.declare(
      loose({
        it: shell(`sleep 0.5; ${stage.line('stop', '--service', 'it')}; sleep 1000`),
        other: steady(),
      }),
    );
    await stage.sup('start', '--daemonize');
    await come(stage, { it: 'stopped', other: 'running' });
  });

  scenario('a hook can repair its service', async (stage) => {
    const onerr = { command: `touch mended; ${stage.line('start', '--daemonize', '--service', 'it')}` };
    await started(
      stage,
      loose({ it: script('until-told.sh', ['end'], { restart_policy: 'never', hooks: { onerr } }) }),
    );
    stage.write('end', '1');
    await eventually({
      what: 'the second run',
      look: async () => (serviceIn((await stage.status()).document, 'it').run === 2 ? true : undefined),
    });
    await come(stage, { it: 'running' });
  });
});
