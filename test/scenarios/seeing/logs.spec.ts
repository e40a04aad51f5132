// What several services printed: merged, told apart, cut down, tamed, followed, pruned and cleared.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { serviceLog, supervisorLog } from '../support/logs.ts';
import { goOn, killSupervisor } from '../support/own-death.ts';
import { project, shell } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { onTerminal } from '../support/terminal.ts';
import { expectDone, expectFailed, started } from '../support/witnesses.ts';

/** A title, a colour, and a cursor that goes up. */
const SLY = String.raw`printf '\033]0;evil\007\033[31mred\033[0m\033[1Atext\n'`;
const SHOP = {
  projects: {
    shop: { services: { web: shell(`${SLY}; echo to-stderr >&2; exec sleep 1000`) } },
    blog: { services: { worker: shell('sleep 0.2; echo second; exec sleep 1000') } },
  },
};

const said = async (stage: Stage, ...args: readonly string[]): Promise<readonly string[]> => {
  const outcome = await stage.sup('logs', ...args);
  expectDone(outcome);
  return outcome.stdout.split('\n').filter(Boolean);
};

describe('sup logs', () => {
  scenario(
    'sup logs shows services of several projects, escaped, with and without a supervisor',
    async (stage) => {
      await started(stage, SHOP);
      await holds(
        'all lines',
        () => serviceLog(stage, 'shop/web').length + serviceLog(stage, 'blog/worker').length === 3,
      );
      const all = await said(stage);
      expect(
        all.map((line) => line.replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /, '')).toSorted(),
      ).toEqual(['blog/worker | second', 'shop/web    | redtext', 'shop/web    | to-stderr']);
      const times = all.map((line) => line.split(' ')[0] ?? '');
      expect(times).toEqual(times.toSorted());
      expect(await said(stage, 'web', '--no-time', '--stream', 'stderr')).toEqual(['to-stderr']);
      const raw = await stage.sup('logs', 'web', '--raw', '--stream', 'stdout');
      expect(raw.stdout).toBe('\u001b]0;evil\u0007\u001b[31mred\u001b[0m\u001b[1Atext\n');
      const [document] = await said(stage, 'web', '--json', '--grep', 'evil');
      expect(JSON.parse(document ?? '')).toMatchObject({ project: 'shop', service: 'web', stream: 'stdout' });
      expect(await said(stage, '--since', '2999-01-01')).toEqual([]);
      expect(await said(stage, 'web', '--path')).toEqual([join(stage.data, 'logs/shop/web.log')]);
      await said(stage, '--path', '--json');

      await holds(
        'both services in the log of the supervisor',
        () => supervisorLog(stage).filter((line) => line.includes('] ready, pid ')).length === 2,
      );
      await killSupervisor(stage);
      const follow = stage.begin(['logs', '--supervisor', '-f', '-n', '1000']);
      await holds('the supervisor', () => /info \[shop\/web\] ready, pid \d+/.test(follow.stdout()));
      const notes = await said(stage, '--supervisor', '--json', '--grep', 'ready');
      expect(notes.map((line): unknown => JSON.parse(line))).toMatchObject([
        { level: 'info' },
        { level: 'info' },
      ]);
      await goOn(stage);
      expectDone(await stage.sup('stop', 'web'));
      await holds('the next supervisor', () => follow.stdout().includes('[shop/web] stopped'));
      follow.child.kill('SIGINT');
      expect((await follow.ended).status).toBe(0);

      const old = join(stage.data, 'logs/shop/web.log.1');
      writeFileSync(old, 'x'.repeat(5_000));
      const pruned = await stage.sup('logs', '--prune', '--max-size', '1K', '--json');
      expect(JSON.parse(pruned.stdout)).toEqual({
        schema: 'sup.pruned/1',
        bytes: 5_000,
        files: [{ path: old, bytes: 5_000 }],
      });
      expect([existsSync(old), existsSync(join(stage.data, 'logs/shop/web.log'))]).toEqual([false, true]);
      for (const wrong of [['--prune'], ['--max-age', '7d'], ['--stream', 'out'], ['--supervisor', 'web']])
        expect((await stage.sup('logs', ...wrong)).status, wrong.join(' ')).toBe(2);
    },
  );
});

describe('following the logs of a project', () => {
  scenario(
    'following a project includes a service that is declared later, from its first line',
    async (stage) => {
      const talker = (text: string) => shell(`echo ${text}; exec sleep 1000`);
      await started(stage, project('shop', { web: talker('by web') }));
      const followers = ['logs', 'events'].map((command) => stage.begin([command, '-f', '-p', 'shop']));
      const [logs, events] = followers;
      await holds('both follow', () => followers.every((one) => /by web|shop\/web/.test(one.stdout())));
      stage.declare(project('shop', { web: talker('by web'), job: talker('of job') }));
      expectDone(await stage.sup('apply'));
      await holds('its line', () => / job \| of job$/m.test(logs?.stdout() ?? ''));
      await holds('its event', () => /shop\/job starting → running/.test(events?.stdout() ?? ''));
      for (const follower of followers) {
        follower.child.kill('SIGINT');
        expect((await follower.ended).status).toBe(0);
      }
      expect(logs?.stdout().match(/of job/g)).toHaveLength(1);
    },
  );
});

describe('sup logs --clear', () => {
  const files = (stage: Stage): readonly string[] =>
    readdirSync(join(stage.data, 'logs/shop')).filter((name) => name.startsWith('web.log'));

  /** What is left is whole: the numbers that it printed, none missing from the first one on. */
  const numbersIn = (stage: Stage): readonly number[] => {
    const numbers = serviceLog(stage, 'shop/web').map((line) => Number(line.split(' ').at(-1)));
    const [first = 0] = numbers;
    expect(numbers).toEqual(numbers.map((_, at) => first + at));
    return numbers;
  };

  scenario(
    'logs --clear asks, then clears a log and its rotated files while its service keeps printing',
    async (stage) => {
      const web = shell('i=0; while sleep 0.01; do i=$((i+1)); echo $i; done', {
        logs: { max_bytes: 2_000, max_files: 10_000 },
      });
      await started(stage, project('shop', { web, db: shell('echo by db; exec sleep 1000') }));
      await holds('rotated files', () => files(stage).length > 2);
      expectFailed(await stage.sup('logs', '--clear', '--yes'), 'ERR0200', 2);
      const refused = await stage.sup('logs', '--clear', 'web');
      expectFailed(refused, 'ERR0200', 2);
      expect(refused.stderr).toMatch(/sup logs --clear web --yes$/m);
      expect(numbersIn(stage)[0]).toBe(1);

      const before = Math.max(...numbersIn(stage));
      const terminal = onTerminal(stage, stage.line('logs', '--clear', 'web'), { columns: 120, rows: 24 });
      try {
        await terminal.shows(/Clear this log\?/);
        terminal.type('y');
        await terminal.shows(/1 log cleared, .* freed/);
        expect((await terminal.ended()).status).toBe(0);
      } finally {
        terminal.close();
      }
      await holds('new lines', () => numbersIn(stage).length > 20);
      expect(numbersIn(stage)[0]).toBeGreaterThan(before);
      expect((await stage.sup('logs', 'db')).stdout).toContain('by db');

      await killSupervisor(stage);
      const { stdout } = await stage.sup('logs', '--clear', '-p', 'shop', '--yes', '--json');
      expect(JSON.parse(stdout)).toMatchObject({ schema: 'sup.pruned/1' });
      expect(serviceLog(stage, 'shop/db')).toEqual([]);
      expectDone(await stage.sup('start', '--daemonize'));
      await holds('new lines', () => numbersIn(stage).length > 20);
    },
  );
});
