// Needs the native addon.
// Privileged: the users that may change what root executes.
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect } from 'vitest';
import type { Outcome } from '../support/command.ts';
import { supervisorLog } from '../support/logs.ts';
import { asRoot, manifest, NOBODY } from '../support/privileged.ts';
import { steady } from '../support/recipes.ts';
import type { Stage } from '../support/stage.ts';
import { expectDone, expectFailed } from '../support/witnesses.ts';

const DIST = dirname(resolve(process.env['SUP_UNDER_TEST'] ?? 'dist/sup.js'));

/** The program once more, in a place of its own that is root's alone. */
const copied = (stage: Stage, name: string): string => {
  const place = join(stage.root, name);
  cpSync(DIST, join(place, 'dist'), { recursive: true });
  symlinkSync(resolve(DIST, '../node_modules'), join(place, 'node_modules'));
  return join(place, 'dist');
};

/** Runs the `sup` of that place. */
const supOf = (
  { stage, dist }: { readonly stage: Stage; readonly dist: string },
  line: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Outcome> =>
  stage.begin(line, {
    through: [
      'sh',
      '-c',
      'node=$1 program=$2; shift 4; exec "$node" "$program" "$@"',
      'sh',
      process.execPath,
      join(dist, 'sup.js'),
    ],
    environment,
    limit: 90_000,
  }).ended;

const INSTALL = ['boot', 'install', '--init', 'crontab', '--yes', '--sys'];

/** A `crontab` that keeps its table in a file. */
const cron = (stage: Stage): string => {
  const directory = join(stage.root, 'bin');
  mkdirSync(directory);
  const table = join(stage.root, 'table');
  const script = stage.write(
    'crontab',
    `#!/bin/sh\nif [ "$1" = -l ]; then cat ${table} 2>/dev/null || { echo "no crontab for root" >&2; exit 1; }; else cat >${table}; fi\n`,
  );
  cpSync(script, join(directory, 'crontab'));
  chmodSync(join(directory, 'crontab'), 0o755);
  return directory;
};

const tableOf = (stage: Stage): string | undefined => {
  const table = join(stage.root, 'table');
  return existsSync(table) ? readFileSync(table, 'utf8') : undefined;
};

const declare = (stage: Stage): string => stage.declare(manifest({ web: steady() }, '2'));

describe('a program that another user may write to', () => {
  asRoot(
    'is warned of with --sys, by status, the log and doctor, and refused by boot install',
    async (stage) => {
      const dist = copied(stage, 'own');
      declare(stage);
      chownSync(join(dist, 'launcher.cjs'), NOBODY.uid, NOBODY.gid);
      expectDone(await supOf({ stage, dist }, ['start', '--sys', '--daemonize']));
      const why = `${join(dist, 'launcher.cjs')}: it is owned by user ${NOBODY.uid}`;
      const { document } = await stage.status();
      expect(document.supervisor.warnings.join('\n')).toContain(why);
      expect(supervisorLog(stage).join('\n')).toContain(why);
      expect((await supOf({ stage, dist }, ['doctor', '--sys'])).stdout).toContain(why);

      const path = { PATH: `${cron(stage)}:/usr/bin:/bin` };
      const refused = await supOf({ stage, dist }, INSTALL, path);
      expectFailed(refused, 'ERR0605');
      expect(refused.stderr).toContain(why);
      expect(refused.stderr).toContain('chown -R root:root');
      expect(tableOf(stage)).toBeUndefined();
      chownSync(join(dist, 'launcher.cjs'), 0, 0);
      expectDone(await supOf({ stage, dist }, INSTALL, path));
      expect(tableOf(stage)).toContain('PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin ');
    },
  );

  asRoot('does not take over from one that only root may write, and is not even tried', async (stage) => {
    declare(stage);
    const [own, other] = [copied(stage, 'own'), copied(stage, 'other')];
    expectDone(await supOf({ stage, dist: own }, ['start', '--sys', '--daemonize']));
    chmodSync(join(other, 'supervisor.bundle.js'), 0o666);
    const refused = await supOf({ stage, dist: other }, ['upgrade', '--sys']);
    expectFailed(refused, 'ERR0501');
    expect(refused.stderr).toContain(`${join(other, 'supervisor.bundle.js')}: it has mode 0666`);
    chmodSync(join(other, 'supervisor.bundle.js'), 0o644);
    expectDone(await supOf({ stage, dist: other }, ['upgrade', '--sys']));
  });

  asRoot('takes over from one that the same user may write', async (stage) => {
    declare(stage);
    const own = copied(stage, 'own');
    chownSync(own, NOBODY.uid, NOBODY.gid);
    expectDone(await supOf({ stage, dist: own }, ['start', '--sys', '--daemonize']));
    const other = copied(stage, 'other');
    chownSync(other, NOBODY.uid, NOBODY.gid);
    expectDone(await supOf({ stage, dist: other }, ['upgrade', '--sys']));
  });
});

describe('a directory of PATH that another user may write to', () => {
  asRoot('is warned of with --sys, and refused by boot install', async (stage) => {
    const bin = join(stage.root, 'open');
    mkdirSync(bin);
    chmodSync(bin, 0o1777);
    const safe = cron(stage);
    const environment = { PATH: `${safe}:${bin}:/usr/bin:/bin` };
    declare(stage);
    expectDone(await stage.begin(['start', '--sys', '--daemonize'], { environment }).ended);
    const why = `PATH: ${bin}: it has mode 1777`;
    const { document } = await stage.status();
    expect(document.supervisor.warnings.join('\n')).toContain(why);
    expect((await stage.begin(['doctor', '--sys'], { environment }).ended).stdout).toContain(why);
    const refused = await stage.begin(INSTALL, { environment }).ended;
    expectFailed(refused, 'ERR0605');
    expect(refused.stderr).toContain(why);
    rmSync(bin, { recursive: true });
    chmodSync(stage.root, 0o1777);
    // Missing, and every user may create it.
    expectFailed(await stage.begin(INSTALL, { environment }).ended, 'ERR0605');
    chmodSync(stage.root, 0o755);
    expect(tableOf(stage)).toBeUndefined();
    expectDone(await stage.begin(INSTALL, { environment }).ended);
  });
});

describe('a control character', () => {
  for (const name of ['PATH', 'SUP_DATA_DIR'])
    for (const init of ['systemd', 'openrc', 'crontab'])
      asRoot(`in ${name} is not written into an entry of ${init}`, async (stage) => {
        const evil = join(stage.root, 'd\n* * * * * root touch /tmp/pwned\n[Service]');
        const path = `${cron(stage)}:/usr/bin:/bin`;
        const environment = name === 'PATH' ? { PATH: `${path}:${evil}` } : { PATH: path, [name]: evil };
        const line = ['boot', 'install', '--init', init, '--dry-run', '--sys'];
        const outcome = await stage.begin(line, { environment }).ended;
        expectFailed(outcome, 'ERR0604');
        expect(outcome.stderr).toContain('control character');
        expect(outcome.stdout).toBe('');
      });
});
