// Needs the native addon.
// Upgrades while everything moves: only clients that are notified notice them.
import { readdirSync, readlinkSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { asking, HELD_SERVER } from '../support/asking.ts';
import { eventually, holds } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { serviceLog } from '../support/logs.ts';
import { linesOf } from '../support/marks.ts';
import { supervisorPid } from '../support/own-death.ts';
import { loose, program, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, come, expectDone, serviceIn } from '../support/witnesses.ts';

const UPGRADES = 6;

const numbersOf = (lines: readonly string[]): readonly number[] =>
  lines.flatMap((line) => Number(/line (\d+)$/.exec(line)?.[1] ?? NaN)).filter(Number.isInteger);

const inARow = (numbers: readonly number[]): readonly number[] =>
  numbers.map((_, at) => (numbers[0] ?? 0) + at);

const openFiles = (pid: number): readonly string[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${descriptor}`)];
    } catch {
      return [];
    }
  });

describe('upgrades under load', () => {
  scenario(
    'upgrades under load keep pids, lines, exit statuses, clients, sockets and descriptors',
    async (stage) => {
      const port = await freePort();
      stage.write('held.mjs', HELD_SERVER);
      stage.declare(
        loose({
          one: program('ticker.mjs'),
          two: program('ticker.mjs'),
          flapping: shell('sleep 0.2; exit 7', { backoff: '50ms', max_restarts: 10_000 }),
          probed: steady({
            deployment: { health_check: { command: 'sleep 0.2', interval: '300ms', retries: 1 } },
          }),
          held: {
            exec: [process.execPath, 'held.mjs'],
            stop_timeout: '1s',
            sockets: [{ name: 'http', listen: `127.0.0.1:${port}` }],
          },
        }),
      );
      const attached = stage.begin(['start']);
      const words = { one: 'running', two: 'running', probed: 'running', held: 'running' } as const;
      await holds('all of them up', async () => {
        const { document } = await stage.status();
        return Object.keys(words).every((name) => {
          const found = document.projects
            .flatMap(({ services }) => services)
            .find((one) => one.name === name);
          return found?.state === 'running';
        });
      });
      const watcher = stage.begin(['status', '--watch', '--json']);
      const events = stage.begin(['events', '-f', '--json']);
      const logs = stage.begin(['logs', '-f', 'one']);
      await holds('the first view', () => watcher.stdout().includes('sup.view/1'));
      const before = (await stage.status()).document;
      const pid = await supervisorPid(stage);
      // Those through which services are looked at come and go with the looks.
      const descriptors = (): number => openFiles(pid).filter((file) => !file.startsWith('/proc/')).length;
      expectDone(await stage.sup('upgrade'));
      const few = descriptors();
      const asked = asking(port);
      for (let upgrade = 1; upgrade < UPGRADES; upgrade += 1)
        expectDone(await stage.sup('upgrade', '--json'));
      expect((await asked()).refused).toBe(0);
      await holds('as many descriptors as before', () => Math.abs(descriptors() - few) < 4);
      expect(await supervisorPid(stage)).toBe(pid);
      const { document } = await stage.status();
      for (const name of Object.keys(words))
        expect(serviceIn(document, name)).toMatchObject({
          pid: serviceIn(before, name).pid,
          run: 1,
          restarts: 0,
        });
      expect(serviceIn(document, 'probed').health).toBe('healthy');
      // Every run of it ended with its own status, also those that ended while one program took the place of another.
      const { services } = await stage.inspect('flapping');
      const ends = services[0]?.history.filter(({ cause }) => cause === 'exited') ?? [];
      expect(ends.length).toBeGreaterThan(2);
      expect(ends.map(({ reason }) => reason)).toEqual(ends.map(() => 'exited with 7'));
      // Connected clients are still connected and were notified.
      await holds(
        'the events to be told',
        () => events.stdout().split('supervisor-upgraded').length > UPGRADES,
      );
      const seen = watcher.stdout().length;
      await holds('another view', () => watcher.stdout().length > seen);
      for (const { stderr } of [watcher, attached])
        await holds('the upgrade told', () => stderr().includes('the supervisor was upgraded'));
      const clients = [watcher, attached, events, logs];
      expect(clients.map(({ child }) => child.exitCode)).toEqual(clients.map(() => null));
      for (const reading of [attached, logs]) {
        const printed = reading.stdout().length;
        await holds('more of the output', () => reading.stdout().length > printed);
      }
      watcher.child.kill('SIGTERM');
      events.child.kill('SIGTERM');
      logs.child.kill('SIGTERM');
      attached.child.kill('SIGINT');
      await attached.ended;
      const followed = numbersOf(logs.stdout().split('\n').slice(0, -1));
      expect(followed).toEqual(inARow(followed));
      for (const name of ['one', 'two']) {
        const numbers = numbersOf(serviceLog(stage, name));
        expect(numbers.length).toBeGreaterThan(100);
        expect(numbers).toEqual(inARow(numbers));
        const shown = attached
          .stdout()
          .split('\n')
          .filter((line) => line.startsWith(`${name} `));
        expect(numbersOf(shown)).toEqual(inARow(numbersOf(shown)));
      }
      await agree(stage, { one: 'stopped', two: 'stopped' });
    },
  );

  scenario('upgrades under load let each command of a service finish once', async (stage) => {
    stage.declare(
      loose({
        hooked: steady({
          hooks: {
            onstart: {
              command:
                'echo hook begins >> said; while [ ! -e go ]; do sleep 0.05; done; echo hook ends >> said',
            },
          },
        }),
        prepared: steady({
          deployment: {
            pre_start:
              'echo pre begins >> said; while [ ! -e go ]; do sleep 0.05; done; echo pre ends >> said',
          },
        }),
      }),
    );
    const start = stage.begin(['start', '--daemonize']);
    await holds('both under way', () => linesOf(stage, 'said').length === 2);
    expectDone(await stage.sup('upgrade'));
    expectDone(await stage.sup('upgrade'));
    stage.write('go', '');
    expectDone(await start.ended);
    await come(stage, { hooked: 'running', prepared: 'running' });
    await eventually({
      what: 'both ended',
      look: () => (linesOf(stage, 'said').length === 4 ? true : undefined),
    });
    expect(linesOf(stage, 'said').toSorted()).toEqual(['hook begins', 'hook ends', 'pre begins', 'pre ends']);
  });
});
