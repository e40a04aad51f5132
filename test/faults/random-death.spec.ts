// kill -9 of the supervisor at random moments, fifty times in a row, while commands arrive and services fail.
// In the end everything runs once, and no unknown process is left.
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { killSupervisor } from '../scenarios/support/own-death.ts';
import { loose, script, shell, steady } from '../scenarios/support/recipes.ts';
import { scenario } from '../scenarios/support/scenario.ts';
import { come } from '../scenarios/support/witnesses.ts';

const DEATHS = 50;
/** The longest life of a supervisor, in milliseconds. */
const LIFE = 250;

/** The same moments each time, so that a failure can be met again. */
const moments = (seed: number): (() => number) => {
  let state = seed;
  return () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
};

describe('a supervisor that is killed fifty times at random moments', () => {
  scenario(
    'after fifty kills of the supervisor each service has one process, and none is left over',
    async (stage) => {
      stage.settings('<timeouts><startup_stability_ms>50</startup_stability_ms></timeouts>');
      stage.declare(
        loose({
          still: steady(),
          family: script('family.sh', ['pids'], { depends_on: ['still'] }),
          flapping: shell('sleep 0.2; exit 1', { backoff: '20ms', max_restarts: 10_000 }),
        }),
      );
      // Its status depends on whether the one that flaps is up when it is answered.
      await stage.sup('start', '--daemonize');
      const random = moments(7);
      for (let death = 0; death < DEATHS; death += 1) {
        const words = [
          ['start', '--daemonize'],
          ['restart', '--service', 'family'],
          ['start', '--daemonize', '--service', 'still'],
        ];
        stage.begin(['start', '--daemonize']);
        stage.begin(words[death % words.length] ?? ['start']);
        await pause(120 + random() * LIFE);
        await killSupervisor(stage).catch(() => undefined);
      }
      await Promise.allSettled([...stage.running].map(({ ended }) => ended));
      await stage.sup('start', '--daemonize', '--service', 'family');
      await stage.sup('stop', '--service', 'flapping');
      const after = await come(stage, { still: 'running', family: 'running', flapping: 'stopped' });
      expect(stage.members('still').map(({ pid }) => pid)).toEqual([after.still.pid]);
      expect(new Set(stage.members('family').map(({ run }) => run)).size).toBe(1);
    },
  );
});
