// Needs the native addon.
// The life of a child: its output, its documents, and that it outlives the supervisor like every service.
import { describe, expect } from 'vitest';
import { childrenCome, childrenOf, desk, deskOf, spawnWithin } from '../support/desk.ts';
import { eventually, holds } from '../support/eventually.ts';
import { serviceLog } from '../support/logs.ts';
import { killSupervisor } from '../support/own-death.ts';
import { isAlive } from '../support/process-table.ts';
import { loose, project } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { expectDone, started } from '../support/witnesses.ts';

const printed = (stage: Stage, service: string, name: string): readonly string[] =>
  serviceLog(stage, service)
    .filter((line) => line.includes(` child:${name} `))
    .map((line) => line.slice(line.indexOf(` child:${name} `) + ` child:${name} `.length));

describe('a child', () => {
  scenario('a child prints to the log of its service as its own stream', async (stage) => {
    await started(stage, project('shop', { web: desk('web') }));
    const say = 'echo one; echo two >&2; echo -n three';
    expect(await spawnWithin(stage, 'web', '--name', 'w.1', '--', 'sh', '-c', say)).toMatchObject({
      status: 0,
    });
    await holds('its lines', () => printed(stage, 'shop/web', 'w.1').length === 3);
    expect(printed(stage, 'shop/web', 'w.1')).toEqual(['one', 'two', 'three']);
    const only = await stage.sup('logs', 'shop/web', '--stream', 'child:w.1', '--json');
    const lines = only.stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { stream: 'child:w.1', text: 'one' },
      { stream: 'child:w.1', text: 'two' },
      { stream: 'child:w.1', text: 'three' },
    ]);
    const told = await eventually({
      what: 'both stored events of the child',
      look: async () => {
        const { stdout } = await stage.sup('events', 'shop/web', '--json');
        const all = stdout.trimEnd().split('\n');
        const found = all.map((line) => JSON.parse(line) as { child: string | null });
        const own = found.filter(({ child }) => child !== null);
        return own.length < 2 ? undefined : own;
      },
    });
    expect(told).toMatchObject([
      { child: 'w.1', from: null, to: 'running', run: 2, cause: 'child-began' },
      { child: 'w.1', from: 'running', to: 'done', run: 2, cause: 'child-ended', reason: 'exited with 0' },
    ]);
    const { ended } = await childrenOf(stage, 'shop/web');
    expect(ended).toMatchObject([{ name: 'w.1', state: 'done', exit: { code: 0 }, ended_by: null }]);
  });

  scenario('inspect lists a child and its processes with command lines in detailed mode', async (stage) => {
    await started(stage, { status: { snapshot_mode: 'detailed' }, ...loose({ web: desk('web') }) });
    await spawnWithin(stage, 'web', '--name', 'a', '--', 'sh', '-c', 'sleep 1000 & sleep 1001; wait');
    const commands = async (): Promise<readonly string[]> => {
      const [web] = (await stage.inspect('web')).services;
      return (web?.processes ?? []).map(({ command }) => command?.join(' ') ?? '');
    };
    await holds('the processes of the child', async () => {
      const all = await commands();
      return ['sleep 1000', 'sleep 1001', 'sh -c sleep'].every((each) =>
        all.some((one) => one.startsWith(each)),
      );
    });
    expect((await commands()).some((one) => one.includes('desk.sh web'))).toBe(true);
    const pids = ((await stage.inspect('web')).services[0]?.processes ?? []).map(({ pid }) => pid);
    expect(new Set(pids).size).toBe(pids.length);
    const page = (await stage.sup('inspect', 'web')).stdout;
    expect(page).toMatch(/\d+ sleep {2}.* of processor time, .* {2}sleep 1001/);
    stage.declare({ status: { snapshot_mode: 'summary' }, ...loose({ web: desk('web') }) });
    expectDone(await stage.sup('apply'));
    expect(await commands()).toEqual([]);
  });

  scenario(
    'a child outlives a killed supervisor with the same pid, output, parent and ttl',
    async (stage) => {
      await started(stage, loose({ web: desk('web') }));
      expect(await spawnWithin(stage, 'web', '--name', 'a', '--', ...deskOf('a'))).toMatchObject({
        status: 0,
      });
      const tick = 'n=0; while :; do n=$((n + 1)); echo $n; sleep 0.05; done';
      await spawnWithin(stage, 'a', '--name', 'ticker', '--', 'sh', '-c', tick);
      await spawnWithin(stage, 'web', '--name', 'short', '--ttl', '30s', '--', 'sleep', '1000');
      await spawnWithin(stage, 'web', '--name', 'doomed', '--', 'sleep', '1000');
      const before = await childrenCome(stage, 'web', ['a', 'a/ticker', 'short', 'doomed']);
      await holds('some lines', () => printed(stage, 'web', 'ticker').length > 5);
      await killSupervisor(stage);
      const doomed = before.children.find(({ name }) => name === 'doomed')?.pid ?? 0;
      process.kill(doomed, 'SIGKILL');
      await holds('the end of one', () => !isAlive(doomed));
      const offline = (await childrenOf(stage, 'web')).children;
      expect(offline.map(({ name, state }) => [name, state])).toEqual([
        ['a', 'running'],
        ['short', 'running'],
        ['doomed', 'lost'],
      ]);
      const lines = printed(stage, 'web', 'ticker').length;
      expectDone(await stage.sup('start', '--daemonize'));
      const after = await childrenCome(stage, 'web', ['a', 'a/ticker', 'short']);
      const living = ({ children }: typeof before) =>
        children.filter(({ name }) => name !== 'doomed').map(({ name, pid, run }) => [name, pid, run]);
      expect(living(after)).toEqual(living(before));
      expect(after.ended.map(({ name }) => name)).toEqual(['doomed']);
      await holds('more lines', () => printed(stage, 'web', 'ticker').length > lines + 5);
      const numbers = printed(stage, 'web', 'ticker').map(Number);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      expect(await spawnWithin(stage, 'a', '--name', 'late', '--', 'sh', '-c', 'exit 7')).toMatchObject({
        status: 0,
      });
      await eventually({
        what: 'the end of late',
        look: async () => {
          const { ended } = await childrenOf(stage, 'web');
          return ended.some(({ name, exit }) => name === 'late' && exit?.code === 7) ? true : undefined;
        },
      });
      await childrenCome(stage, 'web', ['a', 'a/ticker']);
      const { ended } = await childrenOf(stage, 'web');
      expect(ended.find(({ name }) => name === 'short')).toMatchObject({ ended_by: 'ttl' });
    },
  );

  scenario('a child is stopped with its service, also without a supervisor', async (stage) => {
    await started(stage, loose({ web: desk('web'), other: desk('other') }));
    for (const name of ['web', 'other'])
      await spawnWithin(stage, name, '--name', `${name}-a`, '--', ...deskOf(`${name}-a`));
    await spawnWithin(stage, 'web-a', '--name', 'b', '--', 'sleep', '1000');
    await childrenCome(stage, 'web', ['web-a', 'web-a/b']);
    const pids = stage.members('web').map(({ pid }) => pid);
    await killSupervisor(stage);
    expectDone(await stage.sup('stop', 'web'));
    expect(pids.filter(isAlive)).toEqual([]);
    expectDone(await stage.sup('start', '--daemonize', 'other'));
    await childrenCome(stage, 'other', ['other-a']);
    expectDone(await stage.sup('shutdown'));
    expect(stage.members()).toEqual([]);
  });
});
