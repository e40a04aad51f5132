// Crash: backoff between attempts, and the breaker after the last of them (ERR0110).
import { describe, expect } from 'vitest';
import { linesOf } from '../support/marks.ts';
import { EARLY, loose, script, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { agree, come, expectDone, expectFailed } from '../support/witnesses.ts';

/** Milliseconds between the starts, from the times in a file. */
const pauses = (stage: Stage, file: string): readonly number[] => {
  const times = linesOf(stage, file).map((line) => Number(line) / 1e6);
  return times.slice(1).map((time, index) => time - (times[index] ?? 0));
};

describe('a service that fails again and again', () => {
  scenario(
    'a service that fails repeatedly is restarted exactly max_restarts times; then its breaker is open',
    async (stage) => {
      stage.declare(
        loose({
          bad: script('flaky.sh', ['starts', '99'], { max_restarts: 3, backoff: '100ms' }),
          good: steady(),
        }),
      );
      await stage.sup('start', '--daemonize');
      const { bad } = await come(stage, { bad: 'breaker-open', good: 'running' });
      expect(linesOf(stage, 'starts')).toHaveLength(4);
      expect(bad).toMatchObject({
        error: { code: 'ERR0110' },
        restarts: 3,
        max_restarts: 3,
        next_attempt_at: null,
      });
      const human = await stage.sup('status');
      expect(human.status).toBe(1);
      expect(human.stdout).toContain('breaker-open');
      expect(human.stdout).toContain('ERR0110');
    },
  );

  scenario('a service has a restart budget of eight by default', async (stage) => {
    stage.declare(loose({ bad: script('flaky.sh', ['starts', '99'], { backoff: 0 }) }));
    await stage.sup('start', '--daemonize');
    await come(stage, { bad: 'breaker-open' });
    expect(linesOf(stage, 'starts')).toHaveLength(9);
  });

  scenario('an explicit start gives a service a new restart budget', async (stage) => {
    const bad = script('flaky.sh', ['starts', '4'], { max_restarts: 2, backoff: '50ms' });
    stage.declare(loose({ bad }));
    await stage.sup('start', '--daemonize');
    await come(stage, { bad: 'breaker-open' });
    expect(linesOf(stage, 'starts')).toHaveLength(3);
    await stage.sup('start', '--daemonize', '--service', 'bad');
    await come(stage, { bad: 'running' });
    expect(linesOf(stage, 'starts')).toHaveLength(5);
  });

  scenario('a service with max_restarts 0 is not restarted', async (stage) => {
    stage.settings(EARLY);
    stage.declare(loose({ bad: script('flaky.sh', ['starts', '99'], { max_restarts: 0 }) }));
    expectFailed(await stage.sup('start', '--daemonize'), 'ERR0102');
    await agree(stage, { bad: 'breaker-open' });
    expect(linesOf(stage, 'starts')).toHaveLength(1);
  });

  scenario('a constant backoff waits equally long between attempts', async (stage) => {
    stage.declare(
      loose({ bad: script('flaky.sh', ['starts', '99'], { max_restarts: 3, backoff: '400ms' }) }),
    );
    await stage.sup('start', '--daemonize');
    await come(stage, { bad: 'breaker-open' });
    const waited = pauses(stage, 'starts');
    expect(waited).toHaveLength(3);
    for (const pause of waited) expect(pause).toBeGreaterThanOrEqual(395);
  });

  scenario('a growing backoff waits longer each time, up to its maximum', async (stage) => {
    const backoff = { initial: '100ms', max: '400ms', factor: 2 };
    stage.declare(loose({ bad: script('flaky.sh', ['starts', '99'], { max_restarts: 4, backoff }) }));
    await stage.sup('start', '--daemonize');
    await come(stage, { bad: 'breaker-open' });
    const least = [95, 195, 395, 395];
    expect(pauses(stage, 'starts').map((pause, index) => pause >= (least[index] ?? 0))).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  scenario('the backoff of one service does not delay that of another', async (stage) => {
    const flaky = (name: string) => script('flaky.sh', [name, '3'], { backoff: '3s' });
    stage.declare(
      loose(Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, flaky(`starts-${name}`)]))),
    );
    const began = performance.now();
    await stage.sup('start', '--daemonize');
    await come(stage, { a: 'running', b: 'running', c: 'running', d: 'running', e: 'running' });
    expect(performance.now() - began).toBeLessThan(40_000);
  });

  scenario('a service that is stopped during its backoff is not started again', async (stage) => {
    stage.declare(
      loose({
        bad: shell('echo run >>starts; exit 1', { backoff: '8s' }),
        witness: shell('exit 1', { backoff: '9s', max_restarts: 1 }),
      }),
    );
    await stage.sup('start', '--daemonize');
    expectDone(await stage.sup('stop', '--service', 'bad'));
    await come(stage, { bad: 'stopped', witness: 'breaker-open' });
    expect(linesOf(stage, 'starts').length).toBeLessThanOrEqual(1);
  });
});
