// Needs the native addon.
// Credentials: what a service finds, what nothing else can read, and what happens to a start without them.
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { holds } from '../support/eventually.ts';
import { linesCome, linesOf } from '../support/marks.ts';
import { supervisorPid } from '../support/own-death.ts';
import { asNobody, asRoot, environmentOf, manifest, pidsOf, runningSys } from '../support/privileged.ts';
import { shell, type Declared } from '../support/recipes.ts';
import type { Stage } from '../support/stage.ts';
import { come, expectDone, expectFailed } from '../support/witnesses.ts';

const PLACE = '/run/sup-credentials';
const [FIRST, SECOND] = ['first-7c1e04', 'second-b2aa91'];
const WWW_DATA = '33';

const secret = (stage: Stage, name: string, text: string): void => {
  stage.write(name, text);
  chmodSync(join(stage.work, name), 0o600);
};

const holder = (more: Declared = {}): Declared => ({
  exec: ['/bin/sleep', '1000'],
  credentials: { db: { file: 'db' }, 'tls.key': { file: 'key' } },
  ...more,
});

/** The lines that a command inside prints, or why it cannot. */
const inside = async (stage: Stage, service: string, line: string): Promise<string> => {
  const { stdout, stderr } = await stage.sup('exec', service, '--', 'sh', '-c', line);
  return `${stdout}${stderr}`;
};

const AS = (uid: number, line: string): readonly string[] => [
  ...['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--inh-caps=-all'],
  ...['sh', '-c', line],
];

const whatSees = async (uid: number, line: string): Promise<string> => {
  const { spawnSync } = await import('node:child_process');
  const [program = '', ...args] = AS(uid, line);
  const { stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return `${stdout}${stderr}`;
};

const RIGHTS = 'stat -c "%a %u %g" "$CREDENTIALS_DIRECTORY" "$CREDENTIALS_DIRECTORY"/*';

describe('credentials with --sys', () => {
  asRoot('are files in memory of the service alone, whatever confines it', async (stage) => {
    secret(stage, 'db', FIRST);
    secret(stage, 'key', `\0\u{1F511}${SECOND}`);
    const strict = { protect: 'strict', pid: true, landlock: { ro_paths: ['/'], rw_paths: ['/tmp'] } };
    const services = {
      other: { exec: ['/bin/sleep', '1000'], user: 'daemon' },
      root: holder(),
      user: holder({ user: WWW_DATA }),
      strict: holder({ user: WWW_DATA, isolation: strict }),
      inner: holder({ isolation: { user: true, pid: true } }),
    };
    const pids = await runningSys(stage, services);
    for (const name of ['root', 'user', 'strict', 'inner'] as const) {
      const seen = (file: string): string => readFileSync(`/proc/${pids[name]}/root${PLACE}/${file}`, 'utf8');
      expect({ name, db: seen('db'), key: seen('tls.key') }).toEqual({
        name,
        db: FIRST,
        key: `\0\u{1F511}${SECOND}`,
      });
      expect(environmentOf(pids[name])).toMatchObject({ CREDENTIALS_DIRECTORY: PLACE });
    }
    expect(await inside(stage, 'user', RIGHTS)).toBe('500 33 33\n400 33 33\n400 33 33\n');
    expect(await inside(stage, 'inner', RIGHTS)).toBe('500 0 0\n400 0 0\n400 0 0\n');
    expect(readdirSync(PLACE)).toEqual([]);
    expect(existsSync(`/proc/${pids.other}/root${PLACE}/db`)).toBe(false);
    expect(environmentOf(pids.other)).not.toHaveProperty('CREDENTIALS_DIRECTORY');
  });

  asRoot('cannot be read by another user, nor changed by the service', async (stage) => {
    secret(stage, 'db', FIRST);
    secret(stage, 'key', SECOND);
    const services = {
      web: holder({ user: WWW_DATA }),
      inner: holder({ isolation: { user: true } }),
      strict: holder({ isolation: { protect: 'strict' } }),
    };
    const pids = await runningSys(stage, services);
    const roads = [`/proc/${pids.web}/root${PLACE}/db`, `${PLACE}/db`, join(stage.work, 'db')];
    for (const uid of [1, 65_534])
      for (const road of roads) {
        const text = await whatSees(uid, `cat ${road}`);
        expect(text).toMatch(/Permission denied|No such file/);
        expect(text).not.toContain(FIRST);
      }
    const tries = [
      'echo x > "$CREDENTIALS_DIRECTORY/new"',
      'chmod 0600 "$CREDENTIALS_DIRECTORY/db"',
      'rm -f "$CREDENTIALS_DIRECTORY/db"',
      'mount -o remount,rw "$CREDENTIALS_DIRECTORY"',
      'mount -o remount,bind,rw "$CREDENTIALS_DIRECTORY"',
      'umount "$CREDENTIALS_DIRECTORY"',
      'unshare -Urm mount -o remount,bind,rw "$CREDENTIALS_DIRECTORY"',
    ];
    for (const service of ['web', 'inner', 'strict'])
      for (const line of tries) {
        const { status } = await stage.sup('exec', service, '--', 'sh', '-c', line);
        expect({ service, line, failed: status !== 0 }).toEqual({ service, line, failed: true });
      }
  });

  asRoot('are read at each run, and appear in nothing that sup writes or prints', async (stage) => {
    secret(stage, 'db', FIRST);
    secret(stage, 'key', 'k');
    stage.declare(
      manifest({
        web: shell('echo "$$(cat "$$CREDENTIALS_DIRECTORY/db")" >>told; exec sleep 1000', {
          credentials: { db: { file: 'db' } },
          deployment: { pre_start: 'echo "before ${CREDENTIALS_DIRECTORY:-none}" >>told'.replace('$', '$$') },
        }),
      }),
    );
    expectDone(await stage.sup('start', '--sys', '--daemonize'));
    await linesCome(stage, 'told', 2);
    secret(stage, 'db', SECOND);
    expectDone(await stage.sup('restart', 'web', '--sys'));
    await holds('the new content', () => linesOf(stage, 'told').includes(SECOND));
    expect(linesOf(stage, 'told')).toEqual(['before none', FIRST, 'before none', SECOND]);
    const { web } = await pidsOf(stage, { web: {} });
    const shown = [
      ...(await Promise.all(
        [
          ['inspect', 'web', '--json'],
          ['events', '--json'],
          ['config'],
          ['status', '--json'],
          ['why', 'web'],
        ].map(async (words) => (await stage.sup(...words, '--sys')).stdout),
      )),
      readFileSync(`/proc/${web}/environ`, 'latin1'),
      readFileSync(`/proc/${await supervisorPid(stage)}/environ`, 'latin1'),
    ];
    for (const value of [FIRST, SECOND]) for (const text of shown) expect(text).not.toContain(value);
    expect(shown[0]).toContain('credentials.db');
  });

  asRoot('that cannot be used keep the service down, and the error names key and path', async (stage) => {
    secret(stage, 'db', FIRST);
    secret(stage, 'key', 'x');
    const path = (name: string): string => join(stage.work, name);
    const failing: readonly (readonly [() => void, string])[] = [
      [() => rmSync(path('key')), `credentials.tls.key: ${path('key')} cannot be used: no such file`],
      [
        () => {
          secret(stage, 'key', 'x');
          chmodSync(path('key'), 0o666);
        },
        `credentials.tls.key: ${path('key')} cannot be used: it is not trusted: its mode is 0666`,
      ],
      [
        () => secret(stage, 'key', 'x'.repeat(1024 * 1024)),
        'credentials: together they have more than 1048576 bytes',
      ],
    ];
    await runningSys(stage, { web: holder({ restart_policy: 'never' }) });
    for (const [spoil, text] of failing) {
      spoil();
      const failed = await stage.sup('restart', 'web', '--sys');
      expect(failed.status).not.toBe(0);
      expect(failed.stderr).toContain(`ERR0125 web: not started: ${text}`);
    }
    secret(stage, 'key', 'x');
    expectDone(await stage.sup('restart', 'web', '--sys'));
    await come(stage, { web: 'running' });
  });

  asRoot('of a rolled service are those of its own run, also after an upgrade', async (stage) => {
    secret(stage, 'db', FIRST);
    secret(stage, 'key', 'k');
    const services = { web: holder({ user: WWW_DATA, deployment: { strategy: 'rolling' } }) };
    const { web: first } = await runningSys(stage, services);
    expectDone(await stage.sup('upgrade', '--sys'));
    expect(readFileSync(`/proc/${first}/root${PLACE}/db`, 'utf8')).toBe(FIRST);
    secret(stage, 'db', SECOND);
    expectDone(await stage.sup('restart', 'web', '--sys'));
    const { web: second } = await pidsOf(stage, services);
    expect(second).not.toBe(first);
    expect(readFileSync(`/proc/${second}/root${PLACE}/db`, 'utf8')).toBe(SECOND);
  });
});

describe('credentials without root', () => {
  asNobody('are refused, unless the service has a user namespace', async (stage) => {
    secret(stage, 'db', FIRST);
    secret(stage, 'key', 'k');
    stage.declare(manifest({ web: holder() }));
    const refused = await stage.sup('start', '--daemonize');
    expectFailed(refused, 'ERR0748');
    const strict = {
      user: true,
      pid: true,
      protect: 'strict',
      landlock: { ro_paths: ['/'], rw_paths: ['/tmp'] },
    };
    stage.declare(
      manifest({ web: holder({ isolation: { user: true } }), strict: holder({ isolation: strict }) }),
    );
    expectDone(await stage.sup('start', '--daemonize'));
    for (const service of ['web', 'strict'])
      expect(await inside(stage, service, 'cat "$CREDENTIALS_DIRECTORY/db"')).toBe(FIRST);
    const place = `${stage.data}/run/credentials`;
    expect(existsSync(place)).toBe(true);
    expect(readdirSync(place)).toEqual([]);
  });
});
