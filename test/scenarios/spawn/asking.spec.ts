// Needs the native addon.
// Only descendants of a live run of a dynamic service may request a child, whatever the environment says.
import { describe, expect } from 'vitest';
import { childrenCome, childrenOf, desk, deskOf, spawnWithin, treeOf, within } from '../support/desk.ts';
import { linesCome, linesOf } from '../support/marks.ts';
import { holds } from '../support/eventually.ts';
import { loose, project } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { expectFailed, started } from '../support/witnesses.ts';

describe('a service with spawn mode dynamic', () => {
  scenario('a service starts children from within, by name, shown as a tree by inspect', async (stage) => {
    await started(stage, project('shop', { web: desk('web', {}, { env: { vars: { GREETING: 'hello' } } }) }));
    const first = await spawnWithin(stage, 'web', '--name', 'worker', '--', ...deskOf('worker'));
    expect(first.err).toBe('');
    expect(first.out).toMatch(/^worker of shop\/web runs, pid \d+\n$/);
    const second = await spawnWithin(
      stage,
      'web',
      '--json',
      '--',
      'sh',
      '-c',
      'env >seen; pwd >>seen; exec sleep 1000',
    );
    const document = JSON.parse(second.out) as { pid: number; run: number };
    expect(document).toMatchObject({
      ...{ schema: 'sup.spawned/1', service: 'shop/web', name: 'child-1', depth: 1, expires_at: null },
    });
    const below = await spawnWithin(stage, 'worker', '--', 'sleep', '1000');
    expect(below.status).toBe(0);
    const spawn = await childrenCome(stage, 'shop/web', ['worker', 'worker/child-1', 'child-1']);
    expect(treeOf(spawn)).toEqual(['worker', 'worker/child-1', 'child-1']);
    expect(spawn.counts).toMatchObject({ children: 2, depth: 2, descendants: 3 });
    expect(spawn.children[1]).toMatchObject({
      ...{ pid: document.pid, run: document.run, state: 'running', orphan: false },
      command: ['sh', '-c', 'env >seen; pwd >>seen; exec sleep 1000'],
    });
    await holds('what the child saw', () => linesOf(stage, 'seen').includes(stage.work));
    expect(linesOf(stage, 'seen')).toEqual(
      expect.arrayContaining([
        'GREETING=hello',
        'SUP_CHILD=child-1',
        `SUP_UNIT=shop/web#${document.run}`,
        `SUP_SUPERVISOR=${stage.data}`,
      ]),
    );
    const page = await stage.sup('inspect', 'shop/web');
    expect(page.stdout).toMatch(/children +2 of 100, 3 of 500 descendants, depth 2 of 3; cascade/);
    expect(page.stdout).toMatch(/^ {4}worker pid \d+ running .*\n {6}child-1 pid \d+ running/m);
    await within(stage, 'web', 'true');
  });

  scenario(
    'a name is given to one child, and the supervisor is found although SUP_DATA_DIR says otherwise',
    async (stage) => {
      await started(stage, loose({ web: desk('web') }));
      const one = await within(
        stage,
        'web',
        `SUP_DATA_DIR=/nowhere ${stage.line('spawn')} --name a -- sleep 1000`,
      );
      expect(one).toMatchObject({ status: 0, err: '' });
      const again = await spawnWithin(stage, 'web', '--name', 'a', '--', 'sleep', '1000');
      expect(again).toMatchObject({ status: 1 });
      expect(again.err).toContain('ERR0405 a child of web that is alive has the name "a"');
      const bad = await spawnWithin(stage, 'web', '--name', '../a', '--', 'true');
      expect(bad).toMatchObject({ status: 2 });
      expect(bad.err).toContain('ERR0200');
      const missing = await spawnWithin(stage, 'web', '--json', '--', '/no/such/program');
      expect(missing).toMatchObject({ status: 1, out: '' });
      expect(JSON.parse(missing.err)).toMatchObject({ error: { code: 'ERR0113' } });
      expect((await childrenOf(stage, 'web')).ended).toMatchObject([
        { name: 'child-1', state: 'failed', pid: null, error: { code: 'ERR0113' } },
      ]);
    },
  );
});

describe('spawn requests that are refused', () => {
  scenario('processes outside the service, static services and false names get no child', async (stage) => {
    await started(
      stage,
      loose({ web: desk('web'), other: desk('other'), still: desk('still', { mode: 'static' }) }),
    );
    expectFailed(await stage.sup('spawn', '--', 'sleep', '1000'), 'ERR0401');
    const forged = { SUP_UNIT: '__loose__/web#1', SUP_SUPERVISOR: stage.data, SUP_SERVICE: 'web' };
    expectFailed(
      await stage.begin(['spawn', '--', 'sleep', '1000'], { environment: forged }).ended,
      'ERR0401',
    );
    const still = await spawnWithin(stage, 'still', '--', 'sleep', '1000');
    expect(still.status).toBe(1);
    expect(still.err).toContain('ERR0402 still takes no children');
    const forgery = `SUP_UNIT=__loose__/web#1 ${stage.line('spawn')} -- sleep 1000`;
    const other = await within(stage, 'other', forgery);
    expect(other.err).toContain('its environment says __loose__/web#1, and its ancestry __loose__/other#1');
    // Its parent exits at once: from then on only its mark connects it with the service.
    const escaped = `( (until [ -e alone ]; do sleep 0.05; done; ${stage.line('spawn')} -- sleep 1000 2>escaped.err; echo $? >escaped.status) & )`;
    await within(stage, 'web', escaped);
    stage.write('alone', '');
    expect(await linesCome(stage, 'escaped.status', 1)).toEqual(['1']);
    expect(linesOf(stage, 'escaped.err')[0]).toContain('ERR0401');
    for (const name of ['web', 'other', 'still'])
      expect((await childrenOf(stage, name)).children).toEqual([]);
  });

  scenario('if the kernel cannot identify the requesting process, each request is refused', async (stage) => {
    stage.declare(loose({ web: desk('web') }));
    await stage.begin(['start', '--daemonize'], { environment: { SUP_FFI: 'off' } }).ended;
    const refused = await spawnWithin(stage, 'web', '--', 'sleep', '1000');
    expect(refused.status).toBe(1);
    expect(refused.err).toContain('ERR0406');
    expect(refused.err).toContain('npm run addon');
  });
});
