// Needs the native addon.
// Every limit of `spawn.limits`, the spawns of a second, and the ttl.
import { resolve } from 'node:path';
import { describe, expect } from 'vitest';
import { childrenCome, childrenOf, desk, deskOf, spawnWithin, within } from '../support/desk.ts';
import { fixture, loose } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { started } from '../support/witnesses.ts';
import { eventually } from '../support/eventually.ts';

describe('limits of children', () => {
  scenario(
    'a child beyond the limit of one parent, of the service or of levels is refused',
    async (stage) => {
      const limits = { children: 2, depth: 2, descendants: 3 };
      await started(
        stage,
        loose({ web: desk('web', { limits }), none: desk('none', { limits: { depth: 0 } }) }),
      );
      for (const name of ['a', 'b'])
        expect(await spawnWithin(stage, 'web', '--name', name, '--', ...deskOf(name))).toMatchObject({
          status: 0,
        });
      const third = await spawnWithin(stage, 'web', '--', 'sleep', '1000');
      expect(third.status).toBe(1);
      expect(third.err).toContain('ERR0403 web is at its limit: spawn.limits.children is 2');
      expect(await spawnWithin(stage, 'a', '--name', 'c', '--', ...deskOf('c'))).toMatchObject({ status: 0 });
      const deep = await spawnWithin(stage, 'c', '--', 'sleep', '1000');
      expect(deep.err).toContain('spawn.limits.depth is 2');
      const fourth = await spawnWithin(stage, 'b', '--', 'sleep', '1000');
      expect(fourth.err).toContain('spawn.limits.descendants is 3');
      expect((await spawnWithin(stage, 'none', '--', 'true')).err).toContain('spawn.limits.depth is 0');
      expect((await childrenOf(stage, 'web')).counts).toMatchObject({
        children: 2,
        depth: 2,
        descendants: 3,
      });
      const b = (await childrenOf(stage, 'web')).children.find(({ name }) => name === 'b');
      process.kill(b?.pid ?? 0, 'SIGTERM');
      await childrenCome(stage, 'web', ['a', 'a/c']);
      expect(await spawnWithin(stage, 'web', '--', 'sleep', '1000')).toMatchObject({ status: 0 });
    },
  );

  scenario(
    'a spawn beyond the rate limit is refused with the time when it is allowed again',
    async (stage) => {
      await started(
        stage,
        loose({ web: desk('web', {}, { env: { vars: { BURST_FROM: resolve('package.json') } } }) }),
      );
      const burst = `${process.execPath} ${fixture('burst.mjs')} 14`;
      const { out } = await within(stage, 'web', burst);
      const answers = out.trimEnd().split('\n');
      const refused = answers.filter((answer) => answer.startsWith('ERR0404'));
      expect(refused).toHaveLength(4);
      expect(refused[0]).toMatch(/web has asked for ten children within a second; try again in \d+ ms/);
      expect((await childrenOf(stage, 'web')).counts.children).toBe(10);
    },
  );

  scenario(
    'a child beyond the memory limit is refused, and over the limit the newest child is ended',
    async (stage) => {
      const limits = { total_memory: '120M' };
      await started(stage, loose({ web: desk('web', { limits }) }));
      const greedy = `const held = Buffer.alloc(Number(process.argv[1]) * 2 ** 20, 1); setInterval(() => held[0], 1000)`;
      const take = (name: string, mebibytes: number) =>
        spawnWithin(stage, 'web', '--name', name, '--', process.execPath, '-e', greedy, String(mebibytes));
      expect(await spawnWithin(stage, 'web', '--name', 'old', '--', 'sleep', '1000')).toMatchObject({
        status: 0,
      });
      expect(await take('greedy', 200)).toMatchObject({ status: 0 });
      const after = await childrenCome(stage, 'web', ['old']);
      expect(after.ended).toMatchObject([{ name: 'greedy', state: 'stopped', ended_by: 'memory' }]);
      const held = await eventually({
        what: 'the memory after it',
        look: async () => {
          const { counts } = await childrenOf(stage, 'web');
          return (counts.total_memory_bytes ?? Infinity) < 120 * 2 ** 20 ? counts : undefined;
        },
      });
      expect(held.total_memory_bytes).toBeGreaterThan(0);
      expect(await spawnWithin(stage, 'web', '--', 'sleep', '1000')).toMatchObject({ status: 0 });
    },
  );
});

describe('the ttl of a child', () => {
  scenario('a child is ended with its whole tree at its ttl, even if it ignores signals', async (stage) => {
    await started(stage, loose({ web: desk('web', {}, { stop_timeout: '500ms' }) }));
    const stubborn = 'trap "" TERM; (trap "" TERM; setsid sleep 999) & while :; do sleep 0.1; done';
    const spawned = await spawnWithin(
      stage,
      'web',
      '--ttl',
      '4s',
      '--name',
      'late',
      '--',
      'sh',
      '-c',
      stubborn,
    );
    expect(spawned).toMatchObject({ status: 0, err: '' });
    const { children } = await childrenOf(stage, 'web');
    for (const { ttl_left_ms: left } of children) expect(left).toBeLessThanOrEqual(4_000);
    const { ended } = await childrenCome(stage, 'web', []);
    expect(ended).toMatchObject([
      { name: 'late', state: 'stopped', ended_by: 'ttl', exit: { signal: 'SIGKILL' } },
    ]);
    expect(stage.members('web').map(({ run }) => run)).not.toContain(2);
  });
});
