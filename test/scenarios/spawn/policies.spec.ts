// Needs the native addon.
// What happens to children when their parent ends, by policy, and that a stop leaves no process under any.
import { describe, expect } from 'vitest';
import { childrenCome, childrenOf, desk, deskOf, spawnWithin, treeOf } from '../support/desk.ts';
import { eventually } from '../support/eventually.ts';
import { isAlive } from '../support/process-table.ts';
import { loose } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { come, expectDone, serviceIn, started } from '../support/witnesses.ts';

const familyUnder = async (stage: Stage, policy: string): Promise<void> => {
  const limits = { termination_policy: policy };
  await started(
    stage,
    loose({ web: desk('web', { limits }, { backoff: '100ms', restart_policy: 'always' }) }),
  );
  for (const [parent, name] of [
    ['web', 'a'],
    ['a', 'b'],
    ['b', 'c'],
  ] as const)
    expect(await spawnWithin(stage, parent, '--name', name, '--', ...deskOf(name))).toMatchObject({
      status: 0,
    });
  await childrenCome(stage, 'web', ['a', 'a/b', 'a/b/c']);
};

const killWeb = async (stage: Stage): Promise<void> => {
  const before = serviceIn((await stage.status()).document, 'web');
  process.kill(before.pid ?? 0, 'SIGKILL');
  await eventually({
    what: 'another run of web',
    look: async () => {
      const now = serviceIn((await stage.status()).document, 'web');
      return now.state === 'running' && now.run > before.run ? true : undefined;
    },
  });
};

/** A process that the child forks looks like it until it runs its own program, but leads nothing. */
const pidOf = (stage: Stage, name: string): number =>
  stage.members('web').find(({ leader, command }) => leader && command.endsWith(`desk.sh ${name}`))?.pid ?? 0;

const stopLeavesNobody = async (stage: Stage): Promise<void> => {
  expectDone(await stage.sup('stop', 'web'));
  expect(stage.members()).toEqual([]);
  await come(stage, { web: 'stopped' });
  const { children, counts } = await childrenOf(stage, 'web');
  expect([children, counts.descendants]).toEqual([[], 0]);
};

describe('cascade', () => {
  scenario(
    'cascade ends all descendants, children before their parents, before the service restarts',
    async (stage) => {
      await familyUnder(stage, 'cascade');
      const pids = stage.members('web').map(({ pid }) => pid);
      await killWeb(stage);
      expect(pids.filter(isAlive)).toEqual([]);
      const { ended } = await childrenOf(stage, 'web');
      expect(ended.map(({ name, ended_by: by }) => [name, by])).toEqual([
        ['c', 'parent'],
        ['b', 'parent'],
        ['a', 'parent'],
      ]);
      expect(await spawnWithin(stage, 'web', '--name', 'd', '--', 'sleep', '1000')).toMatchObject({
        status: 0,
      });
      await stopLeavesNobody(stage);
      expect((await childrenOf(stage, 'web')).ended.at(-1)).toMatchObject({ name: 'd', ended_by: 'stopped' });
    },
  );

  scenario('cascade ends the children of a child, and its siblings continue', async (stage) => {
    await familyUnder(stage, 'cascade');
    expect(await spawnWithin(stage, 'web', '--name', 'z', '--', 'sleep', '1000')).toMatchObject({
      status: 0,
    });
    process.kill(pidOf(stage, 'b'), 'SIGKILL');
    const { ended } = await childrenCome(stage, 'web', ['a', 'z']);
    expect(ended.map(({ name, state, ended_by: by }) => [name, state, by]).toSorted()).toEqual([
      ['b', 'failed', null],
      ['c', 'stopped', 'parent'],
    ]);
  });
});

describe('orphan', () => {
  scenario('orphan leaves children running without a parent until a stop', async (stage) => {
    await familyUnder(stage, 'orphan');
    await killWeb(stage);
    const spawn = await childrenOf(stage, 'web');
    expect(treeOf(spawn)).toEqual(['a', 'a/b', 'a/b/c']);
    expect(spawn.children[0]).toMatchObject({ name: 'a', orphan: true, parent_run: null, state: 'running' });
    expect(spawn.counts).toMatchObject({ children: 0, descendants: 3 });
    const refused = await spawnWithin(stage, 'a', '--', 'sleep', '1000');
    expect(refused.err).toContain('ERR0401');
    expect(refused.err).toContain('has no parent any more');
    process.kill(pidOf(stage, 'a'), 'SIGKILL');
    const after = await childrenCome(stage, 'web', ['b', 'b/c']);
    expect(after.children[0]).toMatchObject({ name: 'b', orphan: true });
    await stopLeavesNobody(stage);
  });
});

describe('reparent', () => {
  scenario(
    'reparent moves children to the parent of their parent, or to the next run of the service',
    async (stage) => {
      await familyUnder(stage, 'reparent');
      const parent = (await childrenOf(stage, 'web')).children[0]?.run;
      process.kill(pidOf(stage, 'b'), 'SIGKILL');
      const moved = await childrenCome(stage, 'web', ['a', 'a/c']);
      expect(moved.children[0]?.children[0]).toMatchObject({ name: 'c', parent_run: parent, depth: 2 });
      await killWeb(stage);
      const spawn = await childrenCome(stage, 'web', ['a', 'a/c']);
      expect(spawn.children[0]).toMatchObject({ name: 'a', orphan: false, parent_run: null });
      expect(spawn.counts).toMatchObject({ children: 1, depth: 2, descendants: 2 });
      const taken = await spawnWithin(stage, 'web', '--name', 'a', '--', 'sleep', '1000');
      expect(taken.err).toContain('ERR0405');
      expect(await spawnWithin(stage, 'a', '--name', 'e', '--', 'sleep', '1000')).toMatchObject({
        status: 0,
      });
      expectDone(await stage.sup('restart', 'web'));
      await childrenCome(stage, 'web', ['a', 'a/c', 'a/e']);
      await stopLeavesNobody(stage);
    },
  );
});
