// Bad input: a world that is not as it should be, and command lines that say nothing. Each is a typed error.
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { supervisorLog } from '../support/logs.ts';
import { loose, steady } from '../support/recipes.ts';
import { scenario } from '../support/scenario.ts';
import { agree, expectDone, expectFailed, started } from '../support/witnesses.ts';

describe('a program', () => {
  scenario('a missing program is ERR0113 with its name', async (stage) => {
    stage.declare(loose({ bad: { exec: ['/no/such/program'], restart_policy: 'never' }, good: steady() }));
    const outcome = await stage.sup('start', '--daemonize');
    expectFailed(outcome, 'ERR0113');
    expect(outcome.stderr).toContain('exec: program /no/such/program does not exist');
    await agree(stage, { bad: 'failed', good: 'running' });
  });

  scenario('a program without execute permission is ERR0113', async (stage) => {
    chmodSync(stage.write('plain.txt', 'no program'), 0o644);
    stage.declare(loose({ bad: { exec: ['./plain.txt'], restart_policy: 'never' } }));
    expectFailed(await stage.sup('start', '--daemonize'), 'ERR0113');
    await agree(stage, { bad: 'failed' });
  });

  scenario('a missing working directory is ERR0113 with the directory', async (stage) => {
    stage.declare(
      loose({ bad: steady({ working_dir: 'nowhere', restart_policy: 'never' }), good: steady() }),
    );
    const outcome = await stage.sup('start', '--daemonize');
    expectFailed(outcome, 'ERR0113');
    expect(outcome.stderr).toContain(`working_dir: working directory ${join(stage.work, 'nowhere')}`);
    await agree(stage, { bad: 'failed', good: 'running' });
  });
});

describe('a data directory', () => {
  scenario('a data directory that cannot be created is ERR0701', async (stage) => {
    stage.write('file', '');
    stage.declare(loose({ web: steady() }));
    const environment = { SUP_DATA_DIR: join(stage.work, 'file/data') };
    expectFailed(await stage.begin(['start', '--daemonize'], { environment }).ended, 'ERR0701');
    expect(stage.members()).toEqual([]);
  });

  scenario('a data directory with a path too long for a socket works', async (stage) => {
    const data = join(stage.work, 'd'.repeat(120));
    mkdirSync(data, { recursive: true });
    stage.declare(loose({ web: steady() }));
    const there = { environment: { SUP_DATA_DIR: data } };
    expectDone(await stage.begin(['start', '--daemonize'], there).ended);
    const status = await stage.begin(['status', '--json'], there).ended;
    expect(status.stdout).toContain('"state":"running"');
    expectDone(await stage.begin(['shutdown'], there).ended);
  });

  scenario('a broken supervisor.xml is replaced by the defaults, and status says so', async (stage) => {
    stage.settings('<start><max_concurrent>many</');
    await started(stage, loose({ web: steady() }));
    await agree(stage, { web: 'running' });
    expect((await stage.status()).document.supervisor.warnings.join('\n')).toContain('supervisor.xml');
    await holds('a line in the log', () =>
      supervisorLog(stage).some((line) => / warn .*supervisor\.xml cannot be used/.test(line)),
    );
  });
});

describe('without a supervisor', () => {
  for (const args of [['stop'], ['forget', 'sup.yaml']])
    scenario(`${args.join(' ')} without a supervisor is ERR0206 and starts none`, async (stage) => {
      expectFailed(await stage.sup(...args), 'ERR0206');
      expect((await stage.status()).status).toBe(3);
    });
});

describe('a command line', () => {
  for (const [args, hint] of [
    [['strat'], 'start'],
    [['start', '--deamonize'], '--daemonize'],
    [['start', '-c'], ''],
    [['stop', '--watch'], ''],
    [['status', '--service'], ''],
  ] as const)
    scenario(`"${args.join(' ')}" is a usage error with status 2`, async (stage) => {
      const outcome = await stage.sup(...args);
      expectFailed(outcome, 'ERR0200', 2);
      expect(outcome.stderr).toContain(hint);
      expect(outcome.stdout).toBe('');
    });

  scenario('help goes to standard output and needs no supervisor', async (stage) => {
    for (const args of [['--help'], ['start', '--help'], ['--version']]) {
      const outcome = await stage.sup(...args);
      expect(outcome).toMatchObject({ status: 0, stderr: '' });
      expect(outcome.stdout).not.toBe('');
    }
    expect((await stage.status()).status).toBe(3);
  });
});
