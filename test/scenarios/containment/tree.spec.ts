// Containment: everything that a service started dies with it, and no other process does.
import { spawn } from 'node:child_process';
import { describe, expect } from 'vitest';
import { eventually, holds } from '../support/eventually.ts';
import { stillAlive } from '../support/kin.ts';
import { fileComes, linesCome, linesOf } from '../support/marks.ts';
import { isAlive, processOf, type Process } from '../support/process-table.ts';
import { EARLY, fixture, loose, script, shell, steady, type Declared } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { agree, expectDone, expectFailed, started } from '../support/witnesses.ts';

/** The family, every member of which told its pid. */
const family = async (stage: Stage, more: Declared = {}): Promise<readonly Process[]> => {
  await started(stage, loose({ family: script('family.sh', ['pids'], more), other: steady() }));
  await fileComes(stage, 'pids.ready');
  const told = linesOf(stage, 'pids').map((line) => processOf(Number(line)));
  const alive = told.filter((one): one is Process => one !== undefined);
  expect(alive).toHaveLength(5);
  return alive;
};

describe('a one-shot', () => {
  scenario(
    'a one-shot names the processes that it left in the background, which end with it',
    async (stage) => {
      const job = shell('sleep 1000 & sleep 1000 & exit 0', { restart_policy: 'never' });
      await started(stage, loose({ job }));
      const { job: done } = await agree(stage, { job: 'done' });
      expect(done.reason).toBe(
        'finished: exited with 0; 2 processes that it left in the background were stopped',
      );
    },
  );
});

describe('a stop', () => {
  scenario('a stop ends a child, a grandchild and a double fork in its own session', async (stage) => {
    const members = await family(stage);
    expect(new Set(members.map(({ session }) => session)).size).toBeGreaterThan(1);
    expectDone(await stage.sup('stop', '--service', 'family'));
    expect(stillAlive(members)).toEqual([]);
    await agree(stage, { family: 'stopped', other: 'running' });
  });

  scenario('a stop kills processes that ignore SIGTERM', async (stage) => {
    const stray = 'setsid sh -c "trap \'\' TERM; touch ready; while :; do sleep 1000; done" & sleep 1000';
    await started(stage, loose({ it: shell(stray, { stop_timeout: '500ms' }) }));
    await fileComes(stage, 'ready');
    const members = stage.members('it');
    expect(new Set(members.map(({ session }) => session)).size).toBe(2);
    expectDone(await stage.sup('stop'));
    expect(stillAlive(members)).toEqual([]);
    await agree(stage, { it: 'stopped' });
  });

  scenario('a stop ends the remaining processes of a leader that has ended', async (stage) => {
    const members = await family(stage, { restart_policy: 'never' });
    const { family: told } = await agree(stage, { family: 'running' });
    process.kill(told.pid ?? 0, 'SIGKILL');
    await holds('nobody left', () => stillAlive(members).length === 0);
    await eventually({
      what: 'the failure told',
      look: async () =>
        (await stage.status()).document.projects[0]?.services.find(({ state }) => state === 'failed'),
    });
    await agree(stage, { family: 'failed', other: 'running' });
  });

  scenario('a stop ends a process that is stopped by SIGSTOP', async (stage) => {
    await started(stage, loose({ it: steady() }));
    const { it } = await agree(stage, { it: 'running' });
    process.kill(it.pid ?? 0, 'SIGSTOP');
    expectDone(await stage.sup('stop'));
    await agree(stage, { it: 'stopped' });
  });

  scenario('a stop ends two hundred processes that fork when they get the signal', async (stage) => {
    await started(
      stage,
      loose({ bomb: script('bomb.sh', ['pid'], { stop_timeout: '500ms' }), other: steady() }),
    );
    await fileComes(stage, 'pid.ready');
    await holds('all of them', () => stage.members('bomb').length >= 200);
    expectDone(await stage.sup('stop', '--service', 'bomb'));
    expect(stage.members('bomb')).toEqual([]);
    await agree(stage, { bomb: 'stopped', other: 'running' });
  });

  scenario('a stop kills no process while another one could start it again', async (stage) => {
    const hydra = `env -i setsid '${process.execPath}' ${fixture('hydra.mjs')} born "$SUP_UNIT" "$SUP_SUPERVISOR"`;
    await started(
      stage,
      loose({ hydra: shell(`trap '' TERM; ${hydra} & wait`, { stop_timeout: '200ms' }), other: steady() }),
    );
    await linesCome(stage, 'born', 40);
    // Each has become its `sleep`: it ignores the signal.
    await holds(
      'forty heads',
      () => stage.members('hydra').filter(({ command }) => command === 'sleep 1000').length === 40,
    );
    expectDone(await stage.sup('stop', '--service', 'hydra'));
    await agree(stage, { hydra: 'stopped', other: 'running' });
    expect(linesOf(stage, 'born')).toHaveLength(40);
  });

  scenario(
    'a stop never touches a process of another program, even with the same command line',
    async (stage) => {
      const stranger = spawn('sleep', ['1000'], { stdio: 'ignore', cwd: '/', env: {} });
      try {
        await started(stage, loose({ it: steady() }));
        expectDone(await stage.sup('stop'));
        expect(isAlive(stranger.pid ?? 0)).toBe(true);
        await agree(stage, { it: 'stopped' });
      } finally {
        stranger.kill('SIGKILL');
      }
    },
  );
});

describe('a leader that exits by itself', () => {
  scenario('a leader that exits with 0 takes its background processes with it', async (stage) => {
    await started(
      stage,
      loose({ once: shell('setsid sleep 1001 & sleep 1002 & exit 0', { restart_policy: 'never' }) }),
    );
    await agree(stage, { once: 'done' });
  });

  scenario(
    'a leader that exits before it is ready takes its processes with it, even if they ignore signals',
    async (stage) => {
      stage.settings(EARLY);
      const left = `setsid sh ${fixture('stubborn.sh')} & sleep 0.05; exit 3`;
      stage.declare(loose({ bad: shell(left, { restart_policy: 'never', stop_timeout: '500ms' }) }));
      expectFailed(await stage.sup('start', '--daemonize'), 'ERR0102');
      await agree(stage, { bad: 'failed' });
    },
  );
});
