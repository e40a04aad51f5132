// Needs the native addon.
// Children that services have asked for, over upgrades: the same processes, names, tree, output, and the same policy after.
import { describe, expect } from 'vitest';
import { childrenCome, childrenOf, desk, deskOf, spawnWithin } from '../support/desk.ts';
import { holds } from '../support/eventually.ts';
import { serviceLog } from '../support/logs.ts';
import { linesOf } from '../support/marks.ts';
import { loose } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { expectDone, started } from '../support/witnesses.ts';

const said = (stage: Stage): readonly number[] =>
  serviceLog(stage, 'web').flatMap((line) => {
    const [, number] = / child:ticker (\d+)$/.exec(line) ?? [];
    return number === undefined ? [] : [Number(number)];
  });

describe('an upgrade', () => {
  scenario('an upgrade keeps the children of services and their limits', async (stage) => {
    await started(stage, loose({ web: desk('web', { limits: { termination_policy: 'cascade' } }) }));
    const begin = async (within: string, ...args: readonly string[]): Promise<void> =>
      expect(await spawnWithin(stage, within, ...args)).toMatchObject({ status: 0, err: '' });
    await begin('web', '--name', 'a', '--', ...deskOf('a'));
    const tick = 'n=0; while :; do n=$((n + 1)); echo $n; sleep 0.02; done';
    await begin('a', '--name', 'ticker', '--', 'sh', '-c', tick);
    await begin('web', '--name', 'short', '--ttl', '25s', '--', 'sleep', '1000');
    const before = await childrenCome(stage, 'web', ['a', 'a/ticker', 'short']);
    const asked = spawnWithin(
      stage,
      'web',
      '--name',
      'late',
      '--',
      'sh',
      '-c',
      'echo once >> late; exec sleep 1000',
    );
    expectDone(await stage.sup('upgrade'));
    // A request made meanwhile has its child, once.
    expect(await asked).toMatchObject({ status: 0, err: '' });
    const after = await childrenCome(stage, 'web', ['a', 'a/ticker', 'short', 'late']);
    expect(after.children.filter(({ name }) => name !== 'late')).toMatchObject(
      before.children.map(({ name, pid, run, children }) => ({
        ...{ name, pid, run },
        children: children.map((child) => ({ name: child.name, pid: child.pid, run: child.run })),
      })),
    );
    await holds('its output', () => linesOf(stage, 'late').length > 0);
    expect(linesOf(stage, 'late')).toEqual(['once']);
    const lines = said(stage).length;
    await holds('more lines', () => said(stage).length > lines + 5);
    // It goes on printing: one look.
    const seen = said(stage);
    expect(seen).toEqual(seen.map((_, at) => at + 1));
    // Its time is what it was, and so is the policy.
    const { ended } = await childrenCome(stage, 'web', ['a', 'a/ticker', 'late']);
    expect(ended).toMatchObject([{ name: 'short', ended_by: 'ttl' }]);
    await begin('a', '--name', 'below', '--', 'sleep', '1000');
    process.kill(after.children.find(({ name }) => name === 'a')?.pid ?? 0, 'SIGKILL');
    await childrenCome(stage, 'web', ['late']);
    const { ended: fallen } = await childrenOf(stage, 'web');
    const endedBy = Object.fromEntries(fallen.map(({ name, ended_by }) => [name, ended_by]));
    expect(endedBy).toMatchObject({ a: null, ticker: 'parent', below: 'parent', short: 'ttl' });
  });
});
