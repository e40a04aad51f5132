// What happens to a rollout while something else does, and what is never rolled.
import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { linesCome, linesOf } from '../support/marks.ts';
import { project, shell, steady, type Declared } from '../support/recipes.ts';
import { inStep, leadersOf, rolloutOver, serviceOf } from '../support/rollouts.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { agree, come, expectDone, expectFailed, started } from '../support/witnesses.ts';

const release = (number: number, deployment: Declared = {}, more: Declared = {}): Declared =>
  shell(`echo ${number} >>releases; exec sleep 1000`, {
    deployment: { strategy: 'rolling', grace_period: '2s', ...deployment },
    ...more,
  });

const outcomesOf = async (stage: Stage, name: string): Promise<readonly (string | undefined)[]> =>
  ((await stage.inspect(name)).services[0]?.rollouts ?? []).map(({ outcome }) => outcome);

describe('a manifest that is edited again during a rollout', () => {
  scenario('an edit during a rollout waits for the next apply', async (stage) => {
    await started(stage, project('shop', { web: release(1) }));
    await linesCome(stage, 'releases', 1);
    stage.declare(project('shop', { web: release(2, { grace_period: '8s' }) }));
    const apply = stage.begin(['apply']);
    const { candidate } = await inStep(stage, 'shop/web', 'watching');
    stage.declare(project('shop', { web: release(3) }));
    expectDone(await apply.ended);
    expect((await agree(stage, { 'shop/web': 'running' }))['shop/web'].pid).toBe(candidate.pid);
    expect((await stage.sup('plan')).stdout).toMatch(/echo 2.* → echo 3/);
    expectDone(await stage.sup('apply'));
    expect(await linesCome(stage, 'releases', 3)).toEqual(['1', '2', '3']);
    expect(await outcomesOf(stage, 'shop/web')).toEqual(['done', 'done']);
  });

  scenario(
    'an edit that is applied during a rollout cancels the rollout and starts another',
    async (stage) => {
      await started(stage, project('shop', { web: release(1) }));
      await linesCome(stage, 'releases', 1);
      const { pid } = await serviceOf(stage, 'shop/web');
      stage.declare(project('shop', { web: release(2, { grace_period: '1m' }) }));
      const first = stage.begin(['apply']);
      await inStep(stage, 'shop/web', 'watching');
      await linesCome(stage, 'releases', 2);
      stage.declare(project('shop', { web: release(3, { grace_period: '5s' }) }));
      const second = stage.begin(['apply']);
      const during = await eventually({
        what: 'the third run as a candidate',
        look: async () => {
          const service = await serviceOf(stage, 'shop/web');
          return service.rollout?.candidate.run === 3 ? service : undefined;
        },
      });
      expect(during.pid).toBe(pid);
      expectDone(await second.ended);
      expectDone(await first.ended);
      const { 'shop/web': web } = await agree(stage, { 'shop/web': 'running' });
      expect(web.run).toBe(3);
      expect(await linesCome(stage, 'releases', 3)).toEqual(['1', '2', '3']);
      expect(await outcomesOf(stage, 'shop/web')).toEqual(['called-off', 'done']);
    },
  );
});

describe('a failed rollout of a service whose dependencies have changed', () => {
  // A release that fails does so in its grace period, also on a busy machine.
  const rolling = { deployment: { strategy: 'rolling', grace_period: '5s' } };
  const failing = shell('exit 3', rolling);

  scenario('a failed rollout does not block a stop when the dependency was reversed', async (stage) => {
    const web = steady({ ...rolling, depends_on: ['db'] });
    await started(stage, project('shop', { web, db: steady() }));
    const db = steady({ depends_on: ['web'], env: { vars: { RELEASE: '2' } } });
    stage.declare(project('shop', { web: failing, db }));
    expectFailed(await stage.sup('apply'), 'ERR0302');
    await agree(stage, { 'shop/web': 'running', 'shop/db': 'running' });
    expectDone(await stage.sup('stop'));
    await agree(stage, { 'shop/web': 'stopped', 'shop/db': 'stopped' });
  });

  scenario(
    'a service returns by itself after a failed rollout when its dependency was removed',
    async (stage) => {
      const always = { restart_policy: 'always', backoff: '100ms' };
      const web = steady({ ...rolling, ...always, depends_on: ['db'] });
      await started(stage, project('shop', { web, db: steady() }));
      stage.declare(project('shop', { web: { ...failing, ...always } }));
      expectFailed(await stage.sup('apply'), 'ERR0302');
      const { 'shop/web': before } = await agree(stage, { 'shop/web': 'running' });
      process.kill(before.pid ?? 0, 'SIGKILL');
      await eventually({
        what: 'another run',
        look: async () => {
          const { pid, state } = await serviceOf(stage, 'shop/web');
          return (state === 'running' && pid !== before.pid) || undefined;
        },
      });
      await agree(stage, { 'shop/web': 'running' });
    },
  );
});

describe('a dependency that fails for good during a rollout', () => {
  scenario(
    'both runs fall with their dependency, and the service recovers with its last declaration',
    async (stage) => {
      const db = shell('[ ! -e broken ] && exec sleep 1000; exit 3', { max_restarts: 0 });
      await started(stage, project('shop', { db, web: release(1, {}, { depends_on: ['db'] }) }));
      await linesCome(stage, 'releases', 1);
      stage.declare(project('shop', { db, web: release(2, { grace_period: '1m' }, { depends_on: ['db'] }) }));
      const apply = stage.begin(['apply']);
      await inStep(stage, 'shop/web', 'watching');
      await linesCome(stage, 'releases', 2);
      stage.write('broken', '');
      process.kill((await serviceOf(stage, 'shop/db')).pid ?? 0, 'SIGKILL');
      expectFailed(await apply.ended, 'ERR0302');
      await come(stage, { 'shop/web': 'casualty' });
      expect(leadersOf(stage, 'shop/web')).toEqual([]);
      expect(await outcomesOf(stage, 'shop/web')).toEqual(['called-off']);
      stage.write('mended', '');
      stage.declare(
        project('shop', { db: steady(), web: release(2, { grace_period: '1m' }, { depends_on: ['db'] }) }),
      );
      expectDone(await stage.sup('apply'));
      await come(stage, { 'shop/db': 'running', 'shop/web': 'running' });
      expect(await linesCome(stage, 'releases', 3)).toEqual(['1', '2', '2']);
    },
  );
});

describe('the old run during a rollout', () => {
  scenario(
    'an old run that crashes during a rollout returns unchanged, and the rollout continues',
    async (stage) => {
      await started(stage, project('shop', { web: release(1, {}, { backoff: 0 }) }));
      await linesCome(stage, 'releases', 1);
      stage.declare(project('shop', { web: release(2, { grace_period: '8s' }, { backoff: 0 }) }));
      const apply = stage.begin(['apply']);
      const { candidate } = await inStep(stage, 'shop/web', 'watching');
      await linesCome(stage, 'releases', 2);
      process.kill((await serviceOf(stage, 'shop/web')).pid ?? 0, 'SIGKILL');
      expect(await linesCome(stage, 'releases', 3)).toEqual(['1', '2', '1']);
      expectDone(await apply.ended);
      expect((await rolloutOver(stage, 'shop/web')).pid).toBe(candidate.pid);
      expect(leadersOf(stage, 'shop/web')).toEqual([candidate.pid]);
    },
  );
});

describe('a rolling declaration of something that is no server', () => {
  scenario('a one-shot and a schedule that are declared rolling simply run again', async (stage) => {
    const rolling = { deployment: { strategy: 'rolling' } };
    const job = (word: string): Declared =>
      shell(`echo ${word} >>jobs`, { restart_policy: 'never', ...rolling });
    const services = (word: string): Readonly<Record<string, Declared>> => ({
      job: job(word),
      web: steady({ depends_on: [{ service: 'job', condition: 'completed' }] }),
      nightly: shell(`: ${word}; exec sleep 1000`, { cron: { expression: '0 0 0 1 1 *' } }),
    });
    await started(stage, project('shop', services('one')));
    expectDone(await stage.sup('start', 'shop/nightly', '--daemonize'));
    await come(stage, { 'shop/nightly': 'running' });
    stage.declare(project('shop', services('two')));
    const { stdout } = await stage.sup('plan', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      changes: [
        { service: 'shop/job', strategy: 'immediate' },
        { service: 'shop/nightly', strategy: 'immediate' },
      ],
    });
    expectDone(await stage.sup('apply'));
    expect(await outcomesOf(stage, 'shop/job')).toEqual([]);
    expect(await outcomesOf(stage, 'shop/nightly')).toEqual([]);
    expect(leadersOf(stage, 'shop/nightly').length).toBeLessThanOrEqual(1);
    expect(linesOf(stage, 'jobs')).toEqual(['one', 'two']);
  });
});
