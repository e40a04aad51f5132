import { describe, expect, it } from 'vitest';
import type { IsolationSpec, ServiceSpec } from '../../../../src/streams/domain/declared/spec.ts';
import {
  HIDDEN_SOURCE,
  type ProcessConfinement,
} from '../../../../src/streams/domain/service/process-confinement.ts';
import { SECURITY_CHECKS } from '../../../../src/streams/views/security/security-checks.ts';
import type { LivingProcess } from '../../../../src/streams/views/security/security-check.ts';
import {
  ratingOf,
  scoreOf,
  securityRows,
  type SecurityRow,
} from '../../../../src/streams/views/security/security-score.ts';
import { specOf } from '../../../support/spec.ts';

const ROOT = { own: { uid: 0, name: 'root' }, privileged: true } as const;
const ME = { own: { uid: 1000, name: 'me' }, privileged: false } as const;

const mount = (path: string, changes: { isReadOnly?: boolean; source?: string; options?: string } = {}) => ({
  ...{ path, type: 'tmpfs', source: 'none', isReadOnly: false, options: 'rw' },
  ...changes,
});
const covered = (path: string) => mount(path, { source: HIDDEN_SOURCE, isReadOnly: true });

const sets = (all: bigint) => ({
  ...{ inheritable: all, permitted: all, effective: all, bounding: all, ambient: 0n },
});

const OPEN: ProcessConfinement = {
  uids: [0, 0, 0, 0],
  gids: [0, 0, 0, 0],
  groups: [0],
  capabilities: sets(0x1ff_ffff_ffffn),
  noNewPrivs: false,
  seccomp: { mode: 'off', filters: 0 },
  umask: 0,
  namespaces: { network: false, mount: false, pid: false, user: false, ipc: false, uts: false },
  mounts: ['/', '/proc', '/sys', '/dev'].map((path) => mount(path)),
};

const CLOSED: ProcessConfinement = {
  uids: [33, 33, 33, 33],
  gids: [33, 33, 33, 33],
  groups: [33],
  capabilities: sets(0n),
  noNewPrivs: true,
  seccomp: { mode: 'filter', filters: 1 },
  umask: 0o077,
  namespaces: { network: true, mount: true, pid: true, user: true, ipc: false, uts: false },
  mounts: [
    mount('/', { isReadOnly: true }),
    ...['/home', '/root', '/tmp', '/dev'].map(covered),
    mount('/proc', { options: 'rw,nosuid,hidepid=ptraceable' }),
    mount('/proc/sys', { isReadOnly: true }),
    mount('/sys', { isReadOnly: true }),
  ],
};

/** Checks about which the kernel shows nothing. */
const NEVER_SHOWN = ['control', 'environment', 'landlock', 'secrets'];
/** Checks for which the kernel shows only whether they are open. */
const SHOWN_IF_OPEN = SECURITY_CHECKS.map(({ id }) => id).filter(
  (id) => id.startsWith('calls_') || id === 'address_families',
);

const living = (process: ProcessConfinement): LivingProcess => ({ process, ownUid: 0 });

const isolated = (isolation: Partial<IsolationSpec>, schema: 2 | 3 = 2): ServiceSpec => {
  const none = { network: false, mount: false, pid: false, user: false };
  const whole = { ...none, privateDevices: false, privateTmp: false, ...isolation };
  return specOf('web', { schema, privilege: { supplementaryGroups: [], isolation: whole } });
};

const rowOf = (rows: readonly SecurityRow[], id: string): SecurityRow | undefined =>
  rows.find(({ check }) => check.id === id);

describe('what the kernel shows about a process', () => {
  it.each(SECURITY_CHECKS.map((check) => [check.id, check] as const))(
    '%s of an open process is open, of a closed one closed, of an unreadable one unknown',
    (id, check) => {
      const open = NEVER_SHOWN.includes(id) || id === 'ports' ? undefined : 1;
      const isHalf = NEVER_SHOWN.includes(id) || SHOWN_IF_OPEN.includes(id);
      expect(check.living(living(OPEN))).toBe(open);
      expect(check.living(living(CLOSED))).toBe(isHalf ? undefined : 0);
      expect(check.living(living({}))).toBeUndefined();
    },
  );

  it('a check of capabilities is unknown if it is not known whether they are of the machine', () => {
    const { namespaces: _, ...rest } = OPEN;
    const check = SECURITY_CHECKS.find(({ id }) => id === 'cap_sys_admin');
    expect(check?.living(living(rest))).toBeUndefined();
    expect(check?.living(living({ ...rest, capabilities: sets(0n) }))).toBe(0);
  });

  it.each([
    ['protect_system', ['/', '/usr', '/etc'], [false, true, true]],
    ['protect_home', ['/', '/root', '/home'], [false, true, true]],
  ])('%s is partly open if only some directories cannot be written', (id, paths, flags) => {
    const mounts = paths.map((path, at) => mount(path, { isReadOnly: flags[at] === true }));
    expect(SECURITY_CHECKS.find((check) => check.id === id)?.living(living({ mounts }))).toBe(0.5);
  });

  it.each([
    [0o022, 0.5],
    [0o027, 0],
    [0o000, 1],
  ])('a umask of %i has the openness %d', (umask, openness) => {
    const check = SECURITY_CHECKS.find(({ id }) => id === 'umask');
    expect(check?.living(living({ umask }))).toBe(openness);
  });
});

describe('a declaration and its process', () => {
  const running = (spec: ServiceSpec, process: ProcessConfinement, skipped: readonly string[] = []) => ({
    ...{ spec, process, skipped },
  });

  it('the score uses what the kernel shows, and the declaration for what it does not show', () => {
    const spec = specOf('web');
    const rows = securityRows(spec, ROOT, running(spec, CLOSED));
    expect(rowOf(rows, 'user')).toMatchObject({ declared: 1, running: 0, openness: 0, difference: 'other' });
    expect(rowOf(rows, 'environment')).toMatchObject({ declared: 1, running: undefined, openness: 1 });
    expect(rowOf(rows, 'environment')?.difference).toBeUndefined();
  });

  it('a process that is as declared has no difference', () => {
    const spec = specOf('web');
    const rows = securityRows(spec, ROOT, running(spec, { ...OPEN, umask: 0o022 }));
    expect(rows.filter(({ difference }) => difference !== undefined)).toEqual([]);
    expect(scoreOf(rows)).toBeGreaterThan(9.9);
  });

  it('a key that was declared after the start differs as changed', () => {
    const [before, now] = [specOf('web'), isolated({ noNewPrivs: true })];
    const rows = securityRows(now, ROOT, running(before, OPEN));
    expect(rowOf(rows, 'no_new_privs')).toMatchObject({ declared: 0, running: 1, difference: 'changed' });
  });

  it('a key that the kernel refused at the start differs as skipped', () => {
    const spec = isolated({ network: true });
    const rows = securityRows(spec, ROOT, running(spec, OPEN, ['isolation.network']));
    expect(rowOf(rows, 'network')).toMatchObject({ declared: 0, running: 1, difference: 'skipped' });
  });

  it('a check that the kernel does not show is open if its key was skipped', () => {
    const spec = isolated({ protect: { system: 'read_only' } });
    const filtered: ProcessConfinement = { ...OPEN, seccomp: { mode: 'filter' } };
    const rows = securityRows(spec, ROOT, running(spec, filtered, ['isolation.protect']));
    expect(rowOf(rows, 'calls_mount')).toMatchObject({ declared: 0, running: 1, difference: 'skipped' });
    expect(rowOf(rows, 'calls_debug')).toMatchObject({ declared: 1, running: undefined });
  });

  it('a check that the kernel does not show is as at the start, even if a key was declared since', () => {
    const landlock = { roPaths: ['/srv'], rwPaths: [], execPaths: [] };
    const [before, now] = [isolated({ noNewPrivs: true }), isolated({ noNewPrivs: true, landlock })];
    const rows = securityRows(now, ROOT, running(before, OPEN));
    expect(rowOf(rows, 'landlock')).toMatchObject({
      declared: 0,
      running: 1,
      openness: 1,
      difference: 'changed',
    });
    const without = securityRows(before, ROOT, running(now, OPEN));
    expect(rowOf(without, 'landlock')).toMatchObject({ declared: 1, running: 0, difference: 'changed' });
  });

  it('a service that is confined by its declaration may not use the control socket, even if the kernel refused the key', () => {
    const spec = isolated({ network: true });
    const rows = securityRows(spec, ROOT, running(spec, OPEN, ['isolation.network']));
    expect(rowOf(rows, 'control')).toMatchObject({ declared: 0, running: undefined, openness: 0 });
  });

  it('a key without effect in a supervisor without --sys differs as ignored', () => {
    const spec = isolated({ protect: { tmp: 'private' } });
    const rows = securityRows(spec, ME, running(spec, { ...OPEN, uids: [1000] }));
    expect(rowOf(rows, 'protect_tmp')).toMatchObject({ declared: 0, running: 1, difference: 'ignored' });
  });
});

describe('a declaration', () => {
  it('a service of root with another group still has the groups of its supervisor', () => {
    const spec = specOf('web', { privilege: { supplementaryGroups: [], group: 'www-data' } });
    expect(rowOf(securityRows(spec, ROOT), 'root_group')).toMatchObject({ declared: 1 });
    const user = specOf('web', {
      privilege: { supplementaryGroups: [], group: 'www-data', user: 'www-data' },
    });
    expect(rowOf(securityRows(user, ROOT), 'root_group')).toMatchObject({ declared: 0 });
  });

  it('a service in a user namespace without --sys has the user of the supervisor', () => {
    const spec = isolated({ user: true }, 3);
    const process = { ...OPEN, uids: [1000, 1000, 1000, 1000], namespaces: { user: true } };
    const rows = securityRows(spec, ME, { spec, process, skipped: [] });
    expect(rowOf(rows, 'user_namespace')).toMatchObject({ declared: 0, running: 0 });
    expect(rowOf(securityRows(spec, ME), 'own_user')).toMatchObject({ declared: 1 });
    expect(rowOf(securityRows(spec, ROOT), 'own_user')).toMatchObject({ declared: 0 });
  });

  it('home directories are read-only if all files are read-only', () => {
    const declared = (protect: IsolationSpec['protect']): unknown =>
      rowOf(securityRows(isolated({ ...(protect && { protect }) }), ROOT), 'protect_home')?.declared;
    expect(declared({ system: 'read_only' })).toBe(0.5);
    expect(declared({ system: 'os_read_only' })).toBe(1);
    expect(declared({ system: 'read_only', home: 'hidden' })).toBe(0);
  });
});

describe('the score', () => {
  const [one] = SECURITY_CHECKS;

  it('the score is the open part of the weight of all known checks, with one decimal', () => {
    if (one === undefined) throw new Error('no checks');
    const row = (weight: number, openness: number | undefined) => ({ check: { ...one, weight }, openness });
    expect(scoreOf([row(3, 1), row(1, 0), row(9, undefined)])).toBe(7.5);
    expect(scoreOf([row(1, 1), row(2, 0)])).toBe(3.3);
    expect(scoreOf([row(2, 0.5)])).toBe(5);
    expect(scoreOf([])).toBe(0);
  });

  it.each([
    [0, 'closed'],
    [1.9, 'closed'],
    [2, 'good'],
    [4, 'medium'],
    [6, 'exposed'],
    [7.9, 'exposed'],
    [8, 'open'],
    [10, 'open'],
  ])('a score of %d is called %s', (score, rating) => {
    expect(ratingOf(score)).toBe(rating);
  });

  it('checks have different words, and texts that fit a terminal of 80 columns', () => {
    const ids = SECURITY_CHECKS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { open } of SECURITY_CHECKS) expect(open.length).toBeLessThanOrEqual(46);
  });

  it('checks are sorted by their weight', () => {
    const weights = SECURITY_CHECKS.map(({ weight }) => weight);
    expect(weights).toEqual(weights.toSorted((a, b) => b - a));
  });
});
