// Blue/green: two slots, a switch between them, and the way back.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { linesCome, linesOf } from '../support/marks.ts';
import { project, shell, steady, type Declared } from '../support/recipes.ts';
import { serviceOf } from '../support/rollouts.ts';
import { scenario } from '../support/scenario.ts';
import { agree, come, expectDone, started } from '../support/witnesses.ts';

const web = (blueGreen: Declared = {}, more: Declared = {}): Declared =>
  shell('echo "$SLOT {slot}" >>runs; exec sleep 1000', {
    deployment: {
      blue_green: {
        env_var: 'SLOT',
        slots: ['blue', 'green'],
        switch_command: 'echo "{active_slot} {candidate_slot} {service}" >>switches',
        ...blueGreen,
      },
    },
    ...more,
  });

describe('a blue/green service', () => {
  scenario(
    'a blue/green service alternates between its slots and writes the slot to its file',
    async (stage) => {
      await started(stage, project('shop', { web: web({ state_path: 'kept/slot' }) }));
      const kept = (): string => readFileSync(join(stage.work, 'kept/slot'), 'utf8');
      expect(kept()).toBe('blue\n');
      await linesCome(stage, 'runs', 1);
      expectDone(await stage.sup('restart'));
      await linesCome(stage, 'runs', 2);
      expect(kept()).toBe('green\n');
      expect((await agree(stage, { 'shop/web': 'running' }))['shop/web'].slot).toBe('green');
      expectDone(await stage.sup('restart'));
      expect(kept()).toBe('blue\n');
      expect(await linesCome(stage, 'runs', 3)).toEqual(['blue blue', 'green green', 'blue blue']);
      expect(linesOf(stage, 'switches')).toEqual(['blue green web', 'green blue web']);
    },
  );

  scenario('a blue/green service begins in the slot that its file names', async (stage) => {
    stage.write('kept/slot', 'green\n');
    await started(stage, project('shop', { web: web({ state_path: 'kept/slot' }) }));
    expect(await serviceOf(stage, 'shop/web')).toMatchObject({ slot: 'green' });
  });

  scenario('a blue/green service keeps its slot after a crash and after a stop', async (stage) => {
    await started(stage, project('shop', { web: web({}, { backoff: 0 }) }));
    await linesCome(stage, 'runs', 1);
    expectDone(await stage.sup('restart'));
    await linesCome(stage, 'runs', 2);
    const { pid } = await serviceOf(stage, 'shop/web');
    process.kill(pid ?? 0, 'SIGKILL');
    await linesCome(stage, 'runs', 3);
    await come(stage, { 'shop/web': 'running' });
    expectDone(await stage.sup('stop'));
    expectDone(await stage.sup('start', '--daemonize'));
    expect((await linesCome(stage, 'runs', 4)).slice(1)).toEqual([
      'green green',
      'green green',
      'green green',
    ]);
  });

  scenario('a rollback to before blue_green says that the traffic stays at the slot', async (stage) => {
    const plain = shell('echo plain >>runs; exec sleep 1000');
    await started(stage, project('shop', { web: plain }));
    await linesCome(stage, 'runs', 1);
    stage.declare(project('shop', { web: web() }));
    expectDone(await stage.sup('apply'));
    await linesCome(stage, 'runs', 2);
    const { slot } = await serviceOf(stage, 'shop/web');
    const back = await stage.sup('rollback', 'web');
    expect(back.status).toBe(0);
    expect(back.stderr).toContain(`its traffic still goes to slot ${slot}, where no run is left`);
    expect((await agree(stage, { 'shop/web': 'running' }))['shop/web'].slot).toBeNull();
    expect(await linesCome(stage, 'runs', 3)).toEqual(['plain', `${slot} ${slot}`, 'plain']);
  });

  scenario('a failed switch is reverted, and the service keeps its slot', async (stage) => {
    const blue =
      'echo "{active_slot} {candidate_slot}" >>switches; echo no nginx >&2; [ {candidate_slot} = blue ]';
    await started(stage, project('shop', { web: web({ switch_command: blue }) }));
    const { pid } = await serviceOf(stage, 'shop/web');
    const outcome = await stage.sup('restart');
    expect(outcome.status).toBe(1);
    expect(outcome.stderr).toMatch(/ERR0116 shop\/web: .*switch_command exited with 1[\s\S]*no nginx/);
    expect((await agree(stage, { 'shop/web': 'running' }))['shop/web']).toMatchObject({ pid, slot: 'blue' });
    expect(linesOf(stage, 'switches')).toEqual(['blue green', 'green blue']);
  });

  scenario('a switch that cannot be confirmed is reverted, and the service keeps its slot', async (stage) => {
    const switch_verify = { command: '[ {slot} = blue ]', interval: '100ms', retries: 1 };
    await started(stage, project('shop', { web: web({ switch_verify }) }));
    const { pid } = await serviceOf(stage, 'shop/web');
    const outcome = await stage.sup('restart');
    expect(outcome.stderr).toMatch(/ERR0116 shop\/web: .*switch_verify/);
    expect((await agree(stage, { 'shop/web': 'running' }))['shop/web']).toMatchObject({ pid, slot: 'blue' });
    expect(linesOf(stage, 'switches')).toEqual(['blue green web', 'green blue web']);
  });

  scenario('a candidate that fails its verification never gets the traffic', async (stage) => {
    const candidate_health_check = { command: '[ {slot} = blue ]', interval: '100ms', retries: 1 };
    await started(stage, project('shop', { web: web({ candidate_health_check }) }));
    const { pid } = await serviceOf(stage, 'shop/web');
    expect((await stage.sup('restart')).stderr).toMatch(/ERR0115 shop\/web: .*while it was being verified/);
    expect((await agree(stage, { 'shop/web': 'running' }))['shop/web'].pid).toBe(pid);
    expect(linesOf(stage, 'switches')).toEqual([]);
  });
});

describe('a restart of a project', () => {
  scenario('a restart of a project restarts its services in order, each by its strategy', async (stage) => {
    /** Noted before its process begins. */
    const noted = (name: string): Declared => ({ pre_start: `echo ${name} >>order` });
    const blue_green = { slots: ['blue', 'green'], switch_command: 'true' };
    await started(
      stage,
      project('shop', {
        web: steady({ depends_on: ['api'], deployment: { blue_green, ...noted('web') } }),
        api: steady({ depends_on: ['db'], deployment: { strategy: 'rolling', ...noted('api') } }),
        db: steady({ deployment: noted('db') }),
      }),
    );
    expectDone(await stage.sup('restart'));
    expect(linesOf(stage, 'order')).toEqual(['db', 'api', 'web', 'db', 'api', 'web']);
    await agree(stage, { 'shop/db': 'running', 'shop/api': 'running', 'shop/web': 'running' });
  });
});
