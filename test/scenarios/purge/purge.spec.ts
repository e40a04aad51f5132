// `sup purge` removes what is left of unregistered projects and nothing else, with and without a supervisor.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { serviceLog } from '../support/logs.ts';
import { fileComes } from '../support/marks.ts';
import { killSupervisor } from '../support/own-death.ts';
import { isAlive } from '../support/process-table.ts';
import { project, shell, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import type { Stage } from '../support/stage.ts';
import { supervisors } from '../support/supervisors.ts';
import { onTerminal } from '../support/terminal.ts';
import { come, errorOf, expectDone, expectFailed } from '../support/witnesses.ts';

const talker = (more = {}) => shell('echo hello; exec sleep 1000', more);

const says = (stage: Stage, service: string, text: string): Promise<void> =>
  holds(`"${text}" of ${service}`, () => serviceLog(stage, service).some((line) => line.endsWith(text)));

interface Purged {
  readonly dry_run: boolean;
  readonly bytes: number;
  readonly removed: readonly { readonly project: string; readonly kind: string; readonly path: string }[];
  readonly stopped: readonly { readonly service: string; readonly pid: number }[];
}

const purge = async (stage: Stage, ...more: readonly string[]): Promise<Purged> => {
  const outcome = await stage.sup('purge', '--json', ...more);
  expectDone(outcome);
  return JSON.parse(outcome.stdout) as Purged;
};

const whatOf = ({ removed }: Purged): readonly string[] =>
  removed.map(({ project: id, kind }) => `${id} ${kind}`).sort();

const exists = ({ data }: Stage, path: string): boolean => existsSync(join(data, path));

/** Two projects and two loose services, of which one each is forgotten. */
const half = async (stage: Stage): Promise<void> => {
  const files = {
    'old.yaml': project('old', { web: talker(), job: talker() }),
    'new.yaml': project('new', { web: talker() }),
    'gone.yaml': { services: { gone: talker() } },
    'here.yaml': { services: { here: talker() } },
  };
  for (const [file, manifest] of Object.entries(files)) {
    stage.declare(manifest, file);
    expectDone(await stage.sup('start', '--daemonize', '-c', file));
  }
  for (const name of ['old/web', 'old/job', 'new/web', 'gone', 'here']) await says(stage, name, 'hello');
  expectDone(await stage.sup('forget', 'old.yaml'));
  expectDone(await stage.sup('forget', 'gone.yaml'));
  await holds('nobody prints for it any more', () => !exists(stage, 'projects/__loose__/run/gone.stdout'));
};

describe('leftovers beside a running supervisor', () => {
  scenario('leftovers are shown, confirmed and removed; what is registered is not touched', async (stage) => {
    await half(stage);
    const refused = await stage.sup('purge');
    expectFailed(refused, 'ERR0200', 2);
    expect(refused.stderr).toContain('1 project and loose services would be purged: loose services, old');
    expect(refused.stderr).toContain('sup purge --yes');
    const narrowed = await stage.sup('purge', '-p', 'old', '--logs');
    expectFailed(narrowed, 'ERR0200', 2);
    expect(narrowed.stderr).toContain('sup purge -p old --logs --yes');
    expect(exists(stage, 'logs/old')).toBe(true);
    expectFailed(await stage.sup('purge', '-p', 'new', '--yes'), 'ERR0601');
    expect(errorOf(await stage.sup('purge', '-p', 'odl', '--json', '--yes'))).toMatchObject({
      code: 'ERR0202',
    });

    const all = ['__loose__ logs', 'old logs', 'old state'];
    const dry = await purge(stage, '--dry-run');
    expect([dry.dry_run, whatOf(dry)]).toEqual([true, all]);
    const logs = await purge(stage, '-p', 'old', '--logs', '--yes');
    expect([whatOf(logs), logs.bytes > 0]).toEqual([['old logs'], true]);
    expect([exists(stage, 'logs/old'), exists(stage, 'projects/old/state.json')]).toEqual([false, true]);
    const rest = await stage.sup('purge', '-y');
    expectDone(rest);
    expect(rest.stdout).toMatch(/^1 project and loose services purged: .*old \(.* freed\)\n {2}\//);
    expect((await stage.sup('purge')).stdout).toBe('nothing is left\n');

    expect(readdirSync(join(stage.data, 'logs')).filter((name) => !name.includes('.'))).toEqual([
      '__loose__',
      'new',
    ]);
    expect(readdirSync(join(stage.data, 'logs/__loose__'))).toEqual(['here.log']);
    expect(exists(stage, 'logs/.purged') || exists(stage, 'projects/.purged')).toBe(false);
    await come(stage, { here: 'running', 'new/web': 'running' });
  });

  scenario('a purge does not prevent the same project from starting again', async (stage) => {
    await half(stage);
    expect(whatOf(await purge(stage, '--yes'))).toContain('old state');
    expectDone(await stage.sup('start', '--daemonize', '-c', 'old.yaml'));
    await come(stage, { 'old/web': 'running', 'old/job': 'running' });
    await says(stage, 'old/web', 'hello');
    expectDone(await stage.sup('stop', 'old/job'));
    await killSupervisor(stage);
    expectDone(await stage.sup('start', '--daemonize', '-c', 'new.yaml'));
    await come(stage, { 'old/web': 'running', 'old/job': 'stopped' });
  });
});

/** A process of a service that is no longer registered, as a supervisor would have left it. */
const strayOf = (stage: Stage, mark: string, command: string): number => {
  const [project = ''] = mark.split('/');
  const stray = spawn('sh', ['-c', command], {
    cwd: '/',
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], SUP_UNIT: mark, SUP_SUPERVISOR: stage.data, SUP_PROJECT: project },
  });
  stray.unref();
  return stray.pid ?? 0;
};

describe('running processes of a forgotten project', () => {
  scenario(
    'a purge of running processes is refused; with --force they are ended and verified first',
    async (stage) => {
      await half(stage);
      const mild = strayOf(stage, 'old/web#1', 'sleep 1000');
      const deaf = strayOf(
        stage,
        'old/job#1',
        `trap "" TERM; touch ${stage.work}/deaf; while :; do sleep 0.2; done`,
      );
      await fileComes(stage, 'deaf');
      await holds('both of them', () =>
        [mild, deaf].every((pid) => stage.members().some((one) => one.pid === pid)),
      );

      const refused = await stage.sup('purge', '--yes');
      expectFailed(refused, 'ERR0602');
      expect(refused.stderr).toContain(`old/web (pid ${mild})`);
      expect([exists(stage, 'logs/old'), exists(stage, 'projects/old/state.json')]).toEqual([true, true]);

      const dry = await purge(stage, '--force', '--dry-run');
      expect(dry.stopped.map(({ pid }) => pid).sort()).toEqual([mild, deaf].sort());
      expect([mild, deaf].every(isAlive)).toBe(true);

      // A process that ignores the signal is killed, and nothing is removed before that.
      const forced = stage.begin(['purge', '--force', '--yes', '--json']);
      await holds('the one that listens', () => !isAlive(mild));
      expect([isAlive(deaf), exists(stage, 'logs/old')]).toEqual([true, true]);
      const outcome = await forced.ended;
      expectDone(outcome);
      const done = JSON.parse(outcome.stdout) as Purged;
      expect(done.stopped.map(({ service }) => service).sort()).toEqual(['old/job', 'old/web']);
      expect([isAlive(deaf), exists(stage, 'logs/old'), exists(stage, 'projects/old')]).toEqual([
        false,
        false,
        false,
      ]);
      await come(stage, { here: 'running', 'new/web': 'running' });
    },
  );
});

describe('leftovers without a supervisor', () => {
  scenario('a purge without a supervisor removes leftovers and keeps what is recorded', async (stage) => {
    await half(stage);
    expectDone(await stage.sup('shutdown'));
    expectFailed(await stage.sup('purge', '-p', 'new', '--yes'), 'ERR0601');
    expect(whatOf(await purge(stage, '--yes'))).toEqual(['__loose__ logs', 'old logs', 'old state']);
    expect([exists(stage, 'logs/new/web.log'), exists(stage, 'projects/new/state.json')]).toEqual([
      true,
      true,
    ]);
    expectDone(await stage.sup('start', '--daemonize'));
    await come(stage, { here: 'running', 'new/web': 'running' });
  });

  scenario(
    'a purge is refused while a process of the project runs; with --force it is ended first',
    async (stage) => {
      stage.declare(
        project('old', { web: steady(), deaf: shell('trap "" TERM; echo up; while :; do sleep 0.2; done') }),
      );
      expectDone(await stage.sup('start', '--daemonize'));
      await says(stage, 'old/deaf', 'up');
      await killSupervisor(stage);
      const [web] = stage.members('old/web');
      rmSync(join(stage.data, 'registry.json'));
      rmSync(join(stage.data, 'projects'), { recursive: true });

      const refused = await stage.sup('purge', '--yes');
      expectFailed(refused, 'ERR0602');
      expect(refused.stderr).toContain(`old/web (pid ${web?.pid})`);
      expect(refused.stderr).toContain('sup purge --force');
      expect(exists(stage, 'logs/old')).toBe(true);

      const forced = await purge(stage, '--force', '--yes');
      expect(forced.stopped.map(({ service }) => service).sort()).toEqual(['old/deaf', 'old/web']);
      expect(whatOf(forced)).toEqual(['old logs']);
      expect([stage.members(), exists(stage, 'logs/old')]).toEqual([[], false]);
    },
  );

  scenario('a project that is registered again during the question is not purged', async (stage) => {
    stage.declare(project('old', { web: steady() }));
    expectDone(await stage.sup('start', '--daemonize'));
    await killSupervisor(stage);
    const [web] = stage.members('old/web');
    rmSync(join(stage.data, 'registry.json'));
    rmSync(join(stage.data, 'projects'), { recursive: true });
    const terminal = onTerminal(stage, stage.line('purge', '--force'), { columns: 120, rows: 24 });
    try {
      await terminal.shows(/Remove all of it\?/);
      expectDone(await stage.sup('start', '--daemonize'));
      terminal.type('y');
      await terminal.shows(/nothing is left/);
      expect((await terminal.ended()).status).toBe(0);
    } finally {
      terminal.close();
    }
    const { 'old/web': after } = await come(stage, { 'old/web': 'running' });
    expect(after.pid).toBe(web?.pid);
    expect(exists(stage, 'projects/old/state.json')).toBe(true);
  });
});

describe('sup purge --all', () => {
  scenario(
    'purge --all names what would be removed, and keeps files that sup has not made',
    async (stage) => {
      await half(stage);
      const { 'new/web': web } = await come(stage, { here: 'running', 'new/web': 'running' });
      const refused = await stage.sup('purge', '--all');
      expectFailed(refused, 'ERR0200', 2);
      expect(refused.stderr).toContain(`new/web (pid ${String(web.pid)})`);
      expect(refused.stderr).toMatch(/would be ended: the supervisor \(pid \d+\)/);
      expect(refused.stderr).toContain(`would be removed: all of sup in ${stage.data}`);
      expect(refused.stderr).toContain(', of loose services, new, old)');
      expect(refused.stderr).toMatch(/sup purge --all --yes$/m);
      expect((await purge(stage, '--all', '--dry-run')).stopped).toHaveLength(2);
      await come(stage, { here: 'running', 'new/web': 'running' });

      writeFileSync(join(stage.data, 'mine.txt'), '');
      const { stdout } = await stage.sup('purge', '--all', '--yes');
      expect(stdout).toContain(`stays: ${stage.data}/mine.txt`);
      expect([stage.members(), supervisors(stage)]).toEqual([[], []]);
      expect(readdirSync(stage.data)).toEqual(['mine.txt']);
      expect(existsSync(join(stage.work, 'new.yaml'))).toBe(true);
    },
  );

  scenario(
    'purge --all ends processes left by a dead supervisor and removes the data directory',
    async (stage) => {
      stage.declare(project('shop', { web: talker() }));
      expectDone(await stage.sup('start', '--daemonize'));
      await killSupervisor(stage);
      expect(await purge(stage, '--all', '--yes')).toMatchObject({
        removed: [{ project: null, kind: 'all', path: stage.data }],
        stopped: [{ service: 'shop/web' }],
      });
      expect([stage.members(), existsSync(stage.data)]).toEqual([[], false]);
      expect((await stage.sup('purge', '--all')).stdout).toBe('nothing is left\n');
      expect(existsSync(stage.data)).toBe(false);
    },
  );
});
