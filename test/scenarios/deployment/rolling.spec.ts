// Rolling: a candidate beside the old run, which is untouched until the candidate is proven.
import { describe, expect } from 'vitest';
import { eventually, holds } from '../support/eventually.ts';
import { freePort, isListening } from '../support/free-port.ts';
import { linesCome } from '../support/marks.ts';
import { project, program, shell, steady, type Declared } from '../support/recipes.ts';
import { inStep, leadersOf, rolloutOver, serviceOf } from '../support/rollouts.ts';
import { scenario } from '../support/scenario.ts';
import { agree, expectDone, expectFailed, started } from '../support/witnesses.ts';

const rolling = (more: Declared = {}): Declared => ({ deployment: { strategy: 'rolling', ...more } });

describe('a rolling restart', () => {
  scenario(
    'a rolling restart starts the candidate beside the old run, watches it, and then stops the old run',
    async (stage) => {
      await started(stage, project('shop', { web: steady(rolling({ grace_period: '4s' })) }));
      const old = (await serviceOf(stage, 'shop/web')).pid;
      const restart = stage.begin(['restart']);
      const { candidate } = await inStep(stage, 'shop/web', 'watching');
      expect(leadersOf(stage, 'shop/web').toSorted()).toEqual([old, candidate.pid].toSorted());
      expect((await serviceOf(stage, 'shop/web')).pid).toBe(old);
      expectDone(await restart.ended);
      const { 'shop/web': web } = await agree(stage, { 'shop/web': 'running' });
      expect(web).toMatchObject({ pid: candidate.pid, run: 2, rollout: null });
      const [inspected] = (await stage.inspect('shop/web')).services;
      expect(inspected?.rollouts).toMatchObject([
        { outcome: 'done', old_run: 1, candidate_run: 2, error: null },
      ]);
      expect(inspected?.rollouts[0]?.steps.map(({ step }) => step)).toEqual([
        'starting',
        'watching',
        'retiring',
      ]);
      const told = await eventually({
        what: 'the stored end of the rollout',
        look: async () => {
          const text = (await stage.sup('events', 'shop/web')).stdout.replaceAll(/^\S+ shop\/web /gm, '');
          return /^rollout: done/m.test(text) ? text : undefined;
        },
      });
      expect(told.split('\n').filter((line) => /^(rollout|candidate|old run):/.test(line))).toEqual([
        'rollout: starting (the candidate starts)',
        expect.stringContaining('candidate: waiting → starting'),
        expect.stringMatching(/^candidate: starting → running \(pid \d+,/),
        expect.stringMatching(
          /^rollout: watching \(pid \d+, the candidate is ready; the candidate is watched\)$/,
        ),
        expect.stringMatching(/^rollout: retiring .*the candidate has outlived its grace period/),
        expect.stringMatching(/^old run: running → stopping/),
        expect.stringMatching(/^old run: stopping → stopped/),
        expect.stringMatching(/^rollout: done .*the new run has taken the place of the old one/),
      ]);
    },
  );

  scenario(
    'a rolling restart to a broken release keeps the good one and shows the last lines of the broken one',
    async (stage) => {
      // It fails in its grace period if it is slow.
      const deployment = rolling({ grace_period: '5s' });
      await started(stage, project('shop', { web: steady(deployment) }));
      const { pid } = await serviceOf(stage, 'shop/web');
      stage.declare(project('shop', { web: shell('echo no license >&2; exit 3', deployment) }));
      const outcome = await stage.sup('restart');
      expectFailed(outcome, 'ERR0302');
      expect(outcome.stderr).toMatch(/ERR0115 shop\/web: .*exited with 3[\s\S]*no license/);
      const { 'shop/web': kept } = await agree(stage, { 'shop/web': 'running' });
      expect(kept).toMatchObject({ pid, run: 1 });
      expect(kept.reason).toContain('ERR0115');
    },
  );

  scenario(
    'a failed rollout is shown by status, why and the next start until it is repaired',
    async (stage) => {
      const deployment = rolling({ grace_period: '5s' });
      const good = project('shop', { web: steady(deployment) });
      await started(stage, good);
      stage.declare(project('shop', { web: shell('exit 3', deployment) }));
      expectFailed(await stage.sup('apply'), 'ERR0302');
      const { 'shop/web': kept } = await agree(stage, { 'shop/web': 'running' });
      expect(kept).toMatchObject({ error: null, deploy: { failed: true, error: { code: 'ERR0115' } } });
      const status = await stage.sup('status', '--failed');
      expect(status.status).toBe(1);
      expect(status.stdout).toMatch(/^web +running \(deploy failed\) .*ERR0115/m);
      expect((await stage.sup('why', 'web')).stdout).toMatch(/next .*tries the new one again/);
      expectDone(await stage.sup('shutdown'));
      const start = await stage.sup('start', '-d');
      expect(start.status).toBe(0);
      expect(start.stderr).toMatch(/warning: shop\/web is started as it was declared before: .*ERR0115/);
      await agree(stage, { 'shop/web': 'running' });
      stage.declare(good);
      expectDone(await stage.sup('start', '-d'));
      const { 'shop/web': web } = await agree(stage, { 'shop/web': 'running' });
      expect(web.deploy).toMatchObject({ failed: false, error: null, at: null });
      expect(web.reason).toBeNull();
    },
  );

  scenario(
    'a failed rollout is rolled back to the last good release, until the next apply',
    async (stage) => {
      const release = (number: number): Declared =>
        project('shop', { web: steady({ ...rolling(), env: { vars: { RELEASE: `${number}` } } }) });
      await started(stage, release(1));
      expectFailed(await stage.sup('rollback', 'web'), 'ERR0303');
      stage.declare(release(2));
      expectDone(await stage.sup('apply'));
      const back = await stage.sup('rollback', 'web');
      expect([back.status, back.stdout]).toEqual([
        0,
        expect.stringMatching(/^1 service restarted: shop\/web/),
      ]);
      const { 'shop/web': web } = await agree(stage, { 'shop/web': 'running' });
      expect(web).toMatchObject({ run: 3, deploy: { failed: false, rolled_back: true } });
      expect((await stage.sup('status')).stdout).toMatch(/^web +running \(rolled back\)/m);
      const plan = await stage.sup('plan');
      expect(plan.status).toBe(2);
      const apply = await stage.sup('apply');
      expect(apply.stderr).toContain('applies the manifest again after a rollback: shop/web\n');
      expect((await serviceOf(stage, 'shop/web')).deploy.rolled_back).toBe(false);
    },
  );

  scenario(
    'a rolling restart to a release that exits in its grace period keeps the good one',
    async (stage) => {
      const deployment = rolling({ grace_period: '1m' });
      await started(stage, project('shop', { web: steady(deployment) }));
      const { pid } = await serviceOf(stage, 'shop/web');
      const leaving = 'until [ -e leave ]; do sleep 0.05; done; exit 4';
      stage.declare(project('shop', { web: shell(leaving, deployment) }));
      const restart = stage.begin(['restart']);
      await inStep(stage, 'shop/web', 'watching');
      stage.write('leave', '');
      const outcome = await restart.ended;
      expect(outcome.stderr).toMatch(/ERR0115 .*in its grace period: exited with 4/);
      expect((await agree(stage, { 'shop/web': 'running' }))['shop/web'].pid).toBe(pid);
    },
  );

  scenario('a fixed port makes the candidate of a rolling restart fail', async (stage) => {
    const port = await freePort();
    // On a machine that is busy it passes for ready before it has tried to listen.
    const web = program('server.mjs', [String(port)], rolling({ grace_period: '20s' }));
    await started(stage, project('shop', { web }));
    await holds('the old run listening', () => isListening(port));
    const { pid } = await serviceOf(stage, 'shop/web');
    const outcome = await stage.sup('restart');
    expect(outcome.stderr).toMatch(/ERR0115 .*its port \d+ is held by shop\/web/);
    expect((await agree(stage, { 'shop/web': 'running' }))['shop/web'].pid).toBe(pid);
  });

  scenario('a rolling restart that is cancelled by a stop leaves no process', async (stage) => {
    await started(stage, project('shop', { web: steady(rolling({ grace_period: '1m' })) }));
    const restart = stage.begin(['restart']);
    await inStep(stage, 'shop/web', 'watching');
    expectDone(await stage.sup('stop'));
    expect((await restart.ended).status).toBe(1);
    await agree(stage, { 'shop/web': 'stopped' });
  });

  scenario('a second request for a rolling restart begins it once more', async (stage) => {
    await started(stage, project('shop', { web: steady(rolling({ grace_period: '4s' })) }));
    const first = stage.begin(['restart']);
    const { candidate } = await inStep(stage, 'shop/web', 'watching');
    expectDone(await stage.sup('restart'));
    expectDone(await first.ended);
    const { 'shop/web': web } = await agree(stage, { 'shop/web': 'running' });
    expect(web.pid).not.toBe(candidate.pid);
    expect(web.run).toBe(3);
  });

  scenario('a rolling restart fires the hooks of both runs', async (stage) => {
    const hooks = {
      on_start: { success: { command: 'echo "started $SUP_PID" >>hooks' } },
      on_stop: { success: { command: 'echo "stopped $SUP_PID" >>hooks' } },
    };
    await started(stage, project('shop', { web: steady({ ...rolling(), hooks }) }));
    const old = (await serviceOf(stage, 'shop/web')).pid;
    expectDone(await stage.sup('restart'));
    const { pid } = await rolloutOver(stage, 'shop/web');
    expect((await linesCome(stage, 'hooks', 3)).toSorted()).toEqual(
      [`started ${old}`, `started ${pid}`, `stopped ${old}`].toSorted(),
    );
  });
});
