// Privileged: whose directories root may use, and who may read what it keeps there.
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { asNobody, asRoot, manifest, runningSys, startSys } from '../support/privileged.ts';
import { scenario } from '../support/scenario.ts';
import { shell, steady } from '../support/recipes.ts';
import type { Stage } from '../support/stage.ts';
import { expectDone, expectFailed } from '../support/witnesses.ts';

const STRANGER = 4242;

const emptied = (stage: Stage): void => {
  rmSync(stage.data, { recursive: true, force: true });
  mkdirSync(stage.data, { mode: 0o700 });
};

/** Of everything below, its mode, unless it is the owner's alone. */
const openTo = (directory: string): readonly string[] =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    const mode = lstatSync(path).mode & 0o777;
    if (entry.isSymbolicLink()) return [];
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

describe('a data directory without --sys', () => {
  scenario('shows nobody anything of what is kept in it', shared);
  asNobody('nor that of an ordinary user', shared);
});
