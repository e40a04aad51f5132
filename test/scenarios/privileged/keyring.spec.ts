// Needs the native addon.
// Privileged: keys in the session keyring of the caller, and what services see of them and of each other's.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { serviceLog, supervisorLog } from '../support/logs.ts';
import { asNobody, asRoot, manifest } from '../support/privileged.ts';
import { fixture, type Declared } from '../support/recipes.ts';
import type { Stage } from '../support/stage.ts';
import { supervisorPid } from '../support/own-death.ts';
import { killOnlySupervisor } from '../support/supervisors.ts';
import { expectDone } from '../support/witnesses.ts';

const KEY = `sup-test-${process.pid}`;

const attacker = (attempt: string, more: Declared): Declared => ({
  stop_timeout: '1s',
  exec: ['python3', fixture('attack.py'), `${attempt}:${KEY}`],
  ...more,
});

/** A program of Python that becomes its arguments afterwards. */
const python = (lines: readonly string[]): readonly string[] => [
  ...['env', 'python3', '-c'],
  [
    'import ctypes, os, struct, sys',
    'libc = ctypes.CDLL(None, use_errno=True)',
    ...lines,
    'os.execvp(sys.argv[1], sys.argv[1:])',
  ].join('\n'),
];

/** A session keyring of its own with one key in it. */
const WITH_KEY = python([
  'assert libc.syscall(250, 1, None) > 0',
  `assert libc.syscall(248, b"user", b"${KEY}", b"secret", 6, -3) > 0`,
  `assert libc.syscall(250, 10, -3, b"user", b"${KEY}", 0) > 0`,
]);

/** A filter that answers EPERM to keyctl, as in a container. */
const WITHOUT_KEYCTL = python([
  'code = struct.pack("HBBI" * 4, 32, 0, 0, 0, 21, 0, 1, 250, 6, 0, 0, 0x50001, 6, 0, 0, 0x7FFF0000)',
  'kept = ctypes.create_string_buffer(code)',
  'program = struct.pack("HxxxxxxQ", 4, ctypes.addressof(kept))',
  'assert libc.prctl(38, 1, 0, 0, 0) == 0',
  'assert libc.prctl(22, 2, program, 0, 0) == 0',
]);

/** What became of the attempt in run number `run`. */
const outcome = (stage: Stage, service: string, run = 1): Promise<string> =>
  eventually({
    what: `attempt ${run} of ${service}`,
    look: () => serviceLog(stage, service)[run - 1]?.split(' ').slice(2).join(' '),
  });

const start = async (stage: Stage, through: readonly string[], ...args: readonly string[]): Promise<void> =>
  expectDone(await stage.begin(['start', '--daemonize', ...args], { through }).ended);

describe('a key in the session keyring of the caller of sup start', () => {
  asRoot('is hidden from services with --sys, also after a restart by the guardian', async (stage) => {
    const services = {
      direct: attacker('find-key', {}),
      launched: attacker('find-key', { limits: { nofile: 500 } }),
      other: attacker('find-key', { user: 'nobody' }),
    };
    stage.declare(manifest(services));
    await start(stage, WITH_KEY, '--sys');
    for (const name of Object.keys(services))
      expect(await outcome(stage, name), name).toBe('find-key ENOKEY');
    const killed = await supervisorPid(stage);
    killOnlySupervisor(stage);
    await eventually({
      what: 'another supervisor',
      look: async () => {
        const { document } = await stage.status();
        return document.supervisor.pid === null ? undefined : document.supervisor.pid !== killed || undefined;
      },
    });
    expectDone(await stage.sup('restart', 'direct'));
    expect(await outcome(stage, 'direct', 2)).toBe('find-key ENOKEY');
  });

  asNobody('is hidden from services and pre_start of an unprivileged supervisor', async (stage) => {
    const attack = `python3 ${fixture('attack.py')} find-key:${KEY} > found & attacker=$$!`;
    const command = `${attack}; while [ ! -s found ]; do sleep 0.05; done; kill $$attacker`;
    stage.declare(manifest({ direct: attacker('find-key', { deployment: { pre_start: command } }) }));
    await start(stage, WITH_KEY);
    expect(readFileSync(join(stage.work, 'found'), 'utf8')).toBe('find-key ENOKEY\n');
    expect(await outcome(stage, 'direct')).toBe('find-key ENOKEY');
  });
});

describe('a key that a launched service puts into its session keyring', () => {
  asRoot('is hidden from other services of the same user', async (stage) => {
    const [alike, limits] = [{ user: 'nobody' }, { nofile: 500 }];
    const finder = (more: Declared): Declared => attacker('find-key', more);
    stage.declare(
      manifest({
        giver: attacker('add-key', alike),
        root: attacker('add-key', { limits }),
        same: finder(alike),
        limited: finder({ limits }),
        direct: finder({}),
      }),
    );
    await start(stage, WITH_KEY, '--sys', 'giver', 'root');
    expect(await outcome(stage, 'giver')).toBe('add-key done');
    expect(await outcome(stage, 'root')).toBe('add-key done');
    for (const name of ['same', 'limited', 'direct']) {
      expectDone(await stage.sup('start', '--daemonize', name));
      expect(await outcome(stage, name), name).toBe('find-key ENOKEY');
    }
  });
});

describe('a supervisor that may not call keyctl', () => {
  asRoot('starts its services, and warns once that they inherit the keyring', async (stage) => {
    const limits = { nofile: 500 };
    stage.declare(manifest({ direct: attacker('read', {}), launched: attacker('find-key', { limits }) }));
    await start(stage, WITHOUT_KEYCTL, '--sys');
    expect(await outcome(stage, 'launched')).toBe('find-key EPERM');
    const warnings = supervisorLog(stage).filter((line) => line.includes('session keyring'));
    expect(warnings).toEqual([expect.stringMatching(/ warn services inherit .*\(keyctl: EPERM\)/)]);
  });
});
