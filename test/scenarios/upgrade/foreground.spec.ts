// Needs the native addon.
// A supervisor in the foreground, as in a container, over an upgrade: what it shows, and how it ends.
import { describe, expect } from 'vitest';
import { eventually, holds } from '../support/eventually.ts';
import { serviceLog, supervisorLog } from '../support/logs.ts';
import { loose, program, shell } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { come, expectDone } from '../support/witnesses.ts';

describe('an upgrade of a supervisor in the foreground', () => {
  scenario('an upgrade in the foreground keeps output, log and essential service', async (stage) => {
    stage.declare(
      loose({
        api: shell('while ! test -f end; do sleep 0.05; done; echo unfinished >&2; exit 7', {
          ...{ restart_policy: 'never', essential: true },
        }),
        ticker: program('ticker.mjs'),
      }),
    );
    const begun = stage.begin(['supervise', '-c', 'sup.yaml']);
    const { api } = await come(stage, { api: 'running', ticker: 'running' });
    expectDone(await stage.sup('upgrade'));
    const shown = begun.stdout().length;
    await holds('more output', () => begun.stdout().length > shown);
    expectDone(await stage.sup('upgrade'));
    expect((await come(stage, { api: 'running', ticker: 'running' })).api.pid).toBe(api.pid);
    expect((await stage.status()).document.supervisor.pid).toBe(begun.child.pid);
    stage.write('end', '');
    const { status, stdout, stderr } = await begun.ended;
    expect(status).toBe(7);
    expect(stdout).toContain('api    | unfinished');
    expect(stderr.split('supervisor upgraded from')).toHaveLength(3);
    expect(stderr).toContain('the supervisor ends: api is essential, and has ended for good');
    const numbers = [...stdout.matchAll(/^ticker \| line (\d+)$/gm)].map(([, number]) => Number(number));
    expect(numbers.length).toBeGreaterThan(20);
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
    await eventually({
      what: 'its log',
      look: () => supervisorLog(stage).some((line) => line.includes('is essential')) || undefined,
    });
  });

  scenario(
    'an upgrade in the foreground doubles and tears no line while its output is not read',
    async (stage) => {
      const lines = 20_000;
      const text = `while ! test -f go; do sleep 0.05; done; seq 1 ${lines}; exec sleep 1000`;
      stage.declare(loose({ burst: shell(text) }));
      const begun = stage.begin(['supervise', '-c', 'sup.yaml']);
      await come(stage, { burst: 'running' });
      begun.child.stdout?.pause();
      stage.write('go', '');
      await holds('all of it in the log', () => serviceLog(stage, 'burst').length === lines);
      expectDone(await stage.sup('upgrade'));
      begun.child.stdout?.resume();
      await holds('all of it', () => begun.stdout().includes(`burst | ${lines}\n`));
      expectDone(await stage.sup('shutdown'));
      const { stdout } = await begun.ended;
      expect(stdout.split('\n').filter(Boolean)).toEqual(
        Array.from({ length: lines }, (_, at) => `burst | ${at + 1}`),
      );
    },
  );
});
