// Needs the native addon.
// Upgrades that are refused, or fail: the supervisor goes on as it was, and nothing is stopped.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { elsewhere, OTHER_VERSION, removeCopy, supOf } from '../support/elsewhere.ts';
import { eventually } from '../support/eventually.ts';
import { supervisorLog, serviceLog } from '../support/logs.ts';
import { supervisorPid } from '../support/own-death.ts';
import { loose, program, project, steady } from '../support/recipes.ts';
import { inStep } from '../support/rollouts.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { agree, expectDone, expectFailed, serviceIn, started } from '../support/witnesses.ts';

const HANDED = `process.argv.some((word) => word.startsWith('--handover='))`;

/** No service was affected, and pending changes still happen. */
const unharmed = async (stage: Stage, pids: readonly (number | null)[]): Promise<void> => {
  const { ticker, web } = await agree(stage, { ticker: 'running', web: 'running' });
  expect([await supervisorPid(stage), ticker.pid, web.pid]).toEqual(pids);
  const count = serviceLog(stage, 'ticker').length;
  await eventually({
    what: 'more lines',
    look: () => (serviceLog(stage, 'ticker').length > count ? true : undefined),
  });
  const numbers = serviceLog(stage, 'ticker').map((line) => Number(/line (\d+)$/.exec(line)?.[1]));
  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
};

const begun = async (stage: Stage): Promise<readonly (number | null)[]> => {
  await started(stage, loose({ ticker: program('ticker.mjs'), web: steady() }));
  const { ticker, web } = await agree(stage, { ticker: 'running', web: 'running' });
  return [await supervisorPid(stage), ticker.pid, web.pid];
};

describe('an upgrade to another program', () => {
  scenario(
    'an upgrade to another installation succeeds, and the version says so before and after',
    async (stage) => {
      const pids = await begun(stage);
      const other = elsewhere(stage, 'newer');
      const told = await supOf(stage, other, 'version');
      expect(told.stdout).toContain('sup upgrade');
      expectDone(await supOf(stage, other, 'upgrade'));
      expect((await supOf(stage, other, 'version')).stdout).toBe(
        `sup ${OTHER_VERSION}\nsupervisor: ${OTHER_VERSION} (same version)\n`,
      );
      await unharmed(stage, pids);
      // It is brought back as what it is now.
      process.kill(Number(pids[0]), 'SIGKILL');
      await eventually({
        what: 'the other version brought back',
        look: async () => {
          const { supervisor } = (await stage.status()).document;
          return supervisor.version === OTHER_VERSION && supervisor.pid !== pids[0] ? true : undefined;
        },
      });
    },
  );

  scenario(
    'an upgrade to a program that cannot be read, or cannot read the record, is refused at its trial',
    async (stage) => {
      const pids = await begun(stage);
      const torn = elsewhere(stage, 'torn', 'this is no program (');
      expectFailed(await supOf(stage, torn, 'upgrade'), 'ERR0502');
      const blind = elsewhere(stage, 'blind', `if (process.argv.includes('--trial')) process.exit(4);`);
      expectFailed(await supOf(stage, blind, 'upgrade'), 'ERR0502');
      await unharmed(stage, pids);
      const states = join(stage.data, 'projects');
      for (const name of readdirSync(states))
        writeFileSync(join(states, name, 'state.json'), '{"schema":"sup.state/8"}');
      const refused = await stage.sup('upgrade');
      expectFailed(refused, 'ERR0502');
      expect(refused.stderr).toContain('state.json');
      await unharmed(stage, pids);
    },
  );

  scenario('if the new program throws, exits or says nothing, the old one resumes', async (stage) => {
    const pids = await begun(stage);
    const throwing = elsewhere(stage, 'throwing', `if (${HANDED}) throw new Error('broken on purpose');`);
    const failed = await supOf(stage, throwing, 'upgrade');
    expectFailed(failed, 'ERR0503');
    expect(failed.stderr).toContain('broken on purpose');
    await unharmed(stage, pids);
    const ending = elsewhere(stage, 'ending', `if (${HANDED}) process.exit(0);`);
    expectFailed(await supOf(stage, ending, 'upgrade'), 'ERR0503');
    await unharmed(stage, pids);
    const mute = elsewhere(stage, 'mute', `if (${HANDED}) return setInterval(() => undefined, 1e6);`);
    expectFailed(await supOf(stage, mute, 'upgrade'), 'ERR0503');
    await unharmed(stage, pids);
    expect(supervisorLog(stage).filter((line) => line.includes('ERR0503'))).toHaveLength(3);
    expectDone(await stage.sup('upgrade'));
    await unharmed(stage, pids);
  });
});

describe('an upgrade', () => {
  scenario('an upgrade restores the copy of the running program if it was removed', async (stage) => {
    const pids = await begun(stage);
    await removeCopy(stage);
    expectDone(await stage.sup('upgrade'));
    await unharmed(stage, pids);
  });

  scenario('an upgrade is refused during a rollout', async (stage) => {
    const rolling = { deployment: { strategy: 'rolling', grace_period: '60s' } };
    await started(stage, project('shop', { web: steady(rolling) }));
    const restart = stage.begin(['restart', 'shop/web']);
    await inStep(stage, 'shop/web', 'watching');
    const refused = await stage.sup('upgrade');
    expectFailed(refused, 'ERR0501');
    expect(refused.stderr).toContain('rollout of shop/web');
    expectDone(await stage.sup('stop', 'shop/web'));
    await restart.ended;
    await agree(stage, { 'shop/web': 'stopped' });
  });

  scenario(
    'an upgrade keeps the last valid declaration of a broken and of a deleted manifest, and warns',
    async (stage) => {
      stage.declare(project('shop', { web: steady() }), 'shop.yaml');
      const gone = stage.declare(project('blog', { page: steady() }), 'blog.yaml');
      for (const file of ['shop.yaml', 'blog.yaml'])
        expectDone(await stage.sup('start', '--daemonize', '-c', file));
      const before = await agree(stage, { 'shop/web': 'running', 'blog/page': 'running' });
      stage.declare({ services: { web: { exec: 'no list' } } }, 'shop.yaml');
      rmSync(gone);
      const done = await stage.sup('upgrade');
      expect(done, done.stderr).toMatchObject({ status: 0 });
      expect(done.stderr).toContain('exec');
      expect(done.stderr).toContain(`sup forget ${gone}`);
      const told = await stage.sup('upgrade', '--json');
      expect((JSON.parse(told.stdout) as { warnings: readonly string[] }).warnings).toHaveLength(2);
      const after = await agree(stage, { 'shop/web': 'running', 'blog/page': 'running' });
      for (const name of ['shop/web', 'blog/page'] as const) expect(after[name].pid).toBe(before[name].pid);
      // It is started as it was declared before.
      process.kill(Number(after['blog/page'].pid), 'SIGKILL');
      await eventually({
        what: 'the next run of blog/page',
        look: async () => {
          const { run, state } = serviceIn((await stage.status()).document, 'blog/page');
          return run === 2 && state === 'running' ? true : undefined;
        },
      });
    },
  );
});
