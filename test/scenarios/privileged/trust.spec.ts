// Needs the native addon.
// Privileged: the directories that root may use, and the users that may read its files there.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  type Dirent,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { asNobody, asRoot, manifest, NOBODY, runningSys, startSys } from '../support/privileged.ts';
import { scenario } from '../support/scenario.ts';
import { shell, steady } from '../support/recipes.ts';
import type { Outcome } from '../support/command.ts';
import type { Stage } from '../support/stage.ts';
import { expectDone, expectFailed } from '../support/witnesses.ts';

const STRANGER = 4242;

const emptied = (stage: Stage): void => {
  rmSync(stage.data, { recursive: true, force: true });
  mkdirSync(stage.data, { mode: 0o700 });
};

const entriesIn = (directory: string): readonly Dirent[] => {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};

/** Of everything below, its mode, unless it is the owner's alone. A supervisor may remove files meanwhile. */
const openTo = (directory: string): readonly string[] =>
  entriesIn(directory).flatMap((entry) => {
    const path = join(directory, entry.name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined || entry.isSymbolicLink()) return [];
    const mode = found.mode & 0o777;
    const wanted = entry.isDirectory() ? 0o700 : 0o600;
    return [
      ...(mode === wanted ? [] : [`${path} ${mode.toString(8)}`]),
      ...(entry.isDirectory() ? openTo(path) : []),
    ];
  });

const SERVICES = {
  web: shell('echo up; exec sleep 1000', { env: { vars: { SECRET: 'x' } } }),
  gone: shell('exit 3', { restart_policy: 'never' }),
};

describe('a data directory with --sys', () => {
  asRoot('that somebody else owns is refused, and left as it is', async (stage) => {
    emptied(stage);
    chownSync(stage.data, STRANGER, STRANGER);
    const outcome = await startSys(stage, { web: steady() });
    expectFailed(outcome, 'ERR0701');
    expect(outcome.stderr).toContain(`owned by user ${STRANGER}; with --sys it must be owned by root`);
    for (const command of ['status', 'stop', 'logs'])
      expectFailed(await stage.sup(command, '--sys'), 'ERR0701');
    expect(readdirSync(stage.data)).toEqual([]);
    chownSync(stage.data, 0, 0);
  });

  asRoot('that others may write is refused, and so is one below such a directory', async (stage) => {
    emptied(stage);
    chmodSync(stage.data, 0o770);
    expectFailed(await startSys(stage, { web: steady() }), 'ERR0701');
    chmodSync(stage.data, 0o700);
    chmodSync(stage.root, 0o777);
    const outcome = await stage.sup('supervise', '--sys');
    expectFailed(outcome, 'ERR0701');
    expect(outcome.stderr).toContain(`${stage.root} on the way to it has mode 0777`);
    chmodSync(stage.root, 0o755);
    expectDone(await startSys(stage, { web: steady() }));
  });

  asRoot(
    'is refused where a link of another user leads to it, although all else is of root',
    async (stage) => {
      const shared = join(stage.root, 'shared');
      mkdirSync(shared);
      chmodSync(shared, 0o1777);
      const link = join(shared, 'link');
      symlinkSync(stage.data, link);
      lchownSync(link, STRANGER, STRANGER);
      stage.declare(manifest({ web: steady() }));
      const environment = { SUP_DATA_DIR: link };
      const lines = [
        ['start', '--sys', '--daemonize'],
        ['supervise', '--sys'],
        ['status', '--sys'],
      ];
      for (const line of lines) {
        const outcome = await stage.begin(line, { environment }).ended;
        expectFailed(outcome, 'ERR0701');
        expect(outcome.stderr).toContain(`the link ${link} on the way to it is owned by user ${STRANGER}`);
      }
      const supervisor = join(dirname(process.env['SUP_UNDER_TEST'] ?? 'dist/sup.js'), 'supervisor.js');
      const { status, stderr } = spawnSync(process.execPath, [supervisor, '--sys'], {
        env: { ...environment, PATH: process.env['PATH'] },
        encoding: 'utf8',
        timeout: 20_000,
      });
      expect([status, stderr]).toEqual([1, expect.stringContaining(`the link ${link} on the way to it`)]);
      const { stdout } = await stage.begin(['doctor', '--sys'], { environment }).ended;
      expect(stdout).toContain(`the link ${link} on the way to it`);
      expect(readdirSync(stage.data)).toEqual([]);
    },
  );

  asRoot('shows nobody anything of what is kept in it', async (stage) => {
    await runningSys(stage, { web: SERVICES.web });
    await startSys(stage, SERVICES);
    await stage.sup('status', '--sys');
    // For an upgrade that fails.
    await holds('a copy of the program', () => existsSync(join(stage.data, 'program')));
    expect(openTo(stage.data)).toEqual([]);
  });
});

const shared = async (stage: Stage): Promise<void> => {
  stage.declare(manifest(SERVICES, '2'));
  await stage.sup('start', '--daemonize');
  expect(stage.members('web')).toHaveLength(1);
  expect(openTo(stage.data)).toEqual([]);
};

const begun = (stage: Stage, data: string): Promise<Outcome> => {
  stage.declare(manifest({ web: steady() }, '2'));
  return stage.begin(['start', '--daemonize'], { environment: { SUP_DATA_DIR: data } }).ended;
};

describe('a data directory of root without --sys', () => {
  asRoot('is refused below a directory of another user, and nothing is made there', async (stage) => {
    const home = join(stage.root, 'home');
    mkdirSync(home);
    chownSync(home, STRANGER, STRANGER);
    const outcome = await begun(stage, join(home, 'd'));
    expectFailed(outcome, 'ERR0701');
    expect(outcome.stderr).toContain(`${home} on the way to it is owned by user ${STRANGER}; for root`);
    expect(readdirSync(home)).toEqual([]);
  });
});

describe('a data directory without --sys', () => {
  scenario('another user can read nothing in a data directory without --sys', shared);
  asNobody('nor that of an ordinary user', shared);
});

const asOwner = (stage: Stage, ...line: readonly string[]): Promise<Outcome> =>
  stage.begin(line, { through: NOBODY.through }).ended;

/** Of everything below that is not of the owner. */
const notOf = (uid: number, directory: string): readonly string[] =>
  readdirSync(directory, { withFileTypes: true, recursive: true })
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => lstatSync(path).uid !== uid);

const RELOADED = { ...steady(), reload: 'exit 0' };

/** What acts on the record itself, and what would begin a supervisor. */
const ACTING = [
  ['start', '--daemonize'],
  ['start', '--daemonize', 'web'],
  ['start', '--daemonize', '--', 'sleep', '1000'],
  ['restart'],
  ['apply'],
  ['supervise'],
  ['stop'],
  ['shutdown'],
  ['kill', 'web'],
  ['reload', 'web'],
  ['exec', 'web', '--', 'true'],
];

describe('a data directory of another user', () => {
  asRoot('is not acted in by root, who may look into it and ask its supervisor', async (stage) => {
    emptied(stage);
    for (const path of [stage.data, stage.work]) chownSync(path, NOBODY.uid, NOBODY.gid);
    const path = stage.declare(manifest({ web: RELOADED }, '2'));
    chownSync(path, NOBODY.uid, NOBODY.gid);
    expectDone(await asOwner(stage, 'start', '--daemonize'));
    expectDone(await stage.sup('stop', 'web'));
    expectDone(await stage.sup('start', '--daemonize', 'web'));
    for (const line of [
      ['kill', 'web'],
      ['reload', 'web'],
      ['exec', 'web', '--', 'true'],
    ])
      expectFailed(await stage.sup(...line), 'ERR0701');
    expectDone(await asOwner(stage, 'shutdown'));

    for (const line of ACTING) {
      const outcome = await stage.sup(...line);
      expectFailed(outcome, 'ERR0701');
      expect(outcome.stderr, line.join(' ')).toContain(`owned by user ${NOBODY.uid}, and this is user 0`);
    }
    expect(stage.members()).toEqual([]);
    expect(notOf(NOBODY.uid, stage.data)).toEqual([]);
    expect((await stage.status()).document.projects[0]?.services[0]?.name).toBe('web');
    expectDone(await asOwner(stage, 'start', '--daemonize'));
    expectDone(await asOwner(stage, 'shutdown'));
    chownSync(stage.data, 0, 0);
  });

  asRoot('is told to an ordinary user for what it is, whatever the command', async (stage) => {
    stage.declare(manifest({ web: RELOADED }, '2'));
    expectDone(await stage.sup('start', '--daemonize'));
    for (const line of [
      ['status'],
      ['stop'],
      ['kill', 'web'],
      ['reload', 'web'],
      ['exec', 'web', '--', 'true'],
    ])
      expectFailed(await asOwner(stage, ...line), 'ERR0701');
    const { stdout } = await asOwner(stage, 'version');
    expect(stdout).toContain('this user is not permitted to ask');
  });
});
