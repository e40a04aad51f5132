// Crash: the policy table (`docs/behaviour.md`, "Restarting"), row by row, on real exits after readiness.
import { describe, expect } from 'vitest';
import { fileComes, linesCome, linesOf } from '../support/marks.ts';
import { loose, shell, type Declared } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { come, started } from '../support/witnesses.ts';

const SETTINGS = '<timeouts><startup_stability_ms>50</startup_stability_ms></timeouts>';

/** Ends once, as the scenario says, after it was ready; the next time it stays. */
const endsOnce = (how: string, restart_policy: string): Declared =>
  shell(
    `echo up >>starts; [ -e over ] && exec sleep 1000; while [ ! -e end ]; do sleep 0.02; done; touch over; ${how}`,
    { restart_policy, ...(restart_policy !== 'never' && { backoff: '100ms' }) },
  );

const play = async (stage: Stage, how: string, policy: string): Promise<void> => {
  stage.settings(SETTINGS);
  await started(stage, loose({ it: endsOnce(how, policy) }));
  stage.write('end', '');
  await fileComes(stage, 'over');
};

// `$$` stands for one `$` in a manifest.
const CRASHES = { 'a non-zero status': 'exit 3', 'being killed': 'kill -9 $$$$' };
const ALL = { ...CRASHES, 'status 0': 'exit 0' };

describe('after an exit', () => {
  for (const [name, how] of Object.entries(ALL))
    scenario(`with ${name}, "always" restarts`, async (stage) => {
      await play(stage, how, 'always');
      await linesCome(stage, 'starts', 2);
      const { it } = await come(stage, { it: 'running' });
      expect(it).toMatchObject({ run: 2, restarts: 1 });
      expect(linesOf(stage, 'starts')).toHaveLength(2);
    });

  for (const [name, how] of Object.entries(CRASHES))
    scenario(`with ${name}, "on-failure" restarts`, async (stage) => {
      await play(stage, how, 'on-failure');
      await linesCome(stage, 'starts', 2);
      const { it } = await come(stage, { it: 'running' });
      expect(it).toMatchObject({ run: 2, restarts: 1 });
    });

  scenario('after status 0 "on-failure" does not restart', async (stage) => {
    await play(stage, 'exit 0', 'on-failure');
    const { it } = await come(stage, { it: 'stopped' });
    expect(it).toMatchObject({ run: 1, restarts: 0, error: null, last_exit: { code: 0, signal: null } });
  });

  const LISTED = { 'a listed status': 'exit 3', 'a listed signal': 'kill -9 $$$$' };
  for (const [name, how] of Object.entries(LISTED))
    scenario(`after ${name} "on-failure" does not restart, and no hook of a failure runs`, async (stage) => {
      stage.settings(SETTINGS);
      const it = {
        ...endsOnce(how, 'on-failure'),
        success_exit_codes: [3, 'KILL'],
        hooks: {
          onerr: { command: 'echo failed >>failed' },
          on_stop: { success: { command: 'echo ended >>ended' } },
        },
      };
      await started(stage, loose({ it, next: shell('exec sleep 1000', { depends_on: ['it'] }) }));
      stage.write('end', '');
      await linesCome(stage, 'ended', 1);
      const after = await come(stage, { it: 'stopped', next: 'running' });
      expect(after.it).toMatchObject({ run: 1, error: null, last_exit: { success: true } });
      expect(linesOf(stage, 'failed')).toEqual([]);
    });

  scenario('after status 0 "never" does not restart', async (stage) => {
    await play(stage, 'exit 0', 'never');
    const { it } = await come(stage, { it: 'done' });
    expect(it).toMatchObject({ run: 1, error: null });
  });

  for (const [name, how] of Object.entries(CRASHES))
    scenario(`with ${name}, "never" leaves it failed`, async (stage) => {
      await play(stage, how, 'never');
      const { it } = await come(stage, { it: 'failed' });
      expect(it).toMatchObject({ run: 1, restarts: 0 });
      expect(it.error).not.toBeNull();
      expect(linesOf(stage, 'starts')).toHaveLength(1);
    });
});
