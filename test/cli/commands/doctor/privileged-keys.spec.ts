import { describe, expect, it } from 'vitest';
import { judgeKeys, judgeRoot, type KeyFacts } from '../../../../src/cli/commands/doctor/privileged-keys.ts';

const ALL = Array.from({ length: 41 }, (_, number) => number);
const SETUID = 7;
const SYS_ADMIN = 21;
const SYS_RESOURCE = 24;

const ROOT: KeyFacts = {
  release: '6.18.1',
  landlockAbi: 7,
  seccomp: true,
  userNamespaces: true,
  sys: true,
  uid: 0,
  ffi: true,
  capabilities: ALL,
  architecture: 'x64',
  unshare: true,
  controllers: ['cpu', 'memory', 'pids'],
  cgroupRoot: '/sys/fs/cgroup/sup',
  cgroupWritable: true,
  inside: { isInitial: true, users: 4_294_967_295, groups: 4_294_967_295, maySetGroups: true },
  noneOf: [],
};
const ORDINARY: KeyFacts = { ...ROOT, sys: false, uid: 1000, capabilities: [] };

/** Keys that are carried out wholly. */
const WHOLLY = [
  'carried out',
  'carried out; root inside is root outside too under version 2, and not under version 3',
];

/** `name: says` of those that are not simply carried out; a warning has a `!`. */
const told = (facts: KeyFacts): readonly string[] =>
  judgeKeys(facts)
    .filter(({ says }) => !WHOLLY.includes(says))
    .map(({ id, level, says }) => `${id.slice('key '.length)}:${level === 'ok' ? '' : '!'} ${says}`);

const without = (...lost: readonly number[]): KeyFacts => ({
  ...ROOT,
  capabilities: ALL.filter((number) => !lost.includes(number)),
});

describe('the finding of privileged keys', () => {
  it('root with everything applies all privileged keys', () => {
    expect(told(ROOT)).toEqual([]);
    expect(judgeKeys(ROOT)).toHaveLength(24);
  });

  it('each privileged key needs its own capability', () => {
    expect(told(without(SETUID))).toEqual(['user:! not carried out: root lacks CAP_SETUID here']);
    expect(told(without(SYS_ADMIN))).toEqual(
      ['network', 'mount', 'pid', 'protect'].map(
        (kind) => `isolation.${kind}:! not carried out: root lacks CAP_SYS_ADMIN here`,
      ),
    );
    expect(told(without(SYS_RESOURCE))).toEqual([
      ...['nofile', 'nproc', 'memlock', 'core', 'stack', 'fsize'].map(
        (one) => `limits.${one}: carried out; no hard limit is raised: that needs CAP_SYS_RESOURCE`,
      ),
      'limits.oom_score_adj: carried out; it only goes up: down needs CAP_SYS_RESOURCE',
    ]);
  });

  it('some privileged keys need a privileged supervisor, which is no problem', () => {
    const only = told(ORDINARY).filter((line) => line.endsWith('carried out with --sys only'));
    expect(only.map((line) => line.split(':')[0])).toEqual([
      'user',
      'group',
      'supplementary_groups',
      'capabilities',
      'limits.cgroup',
    ]);
    expect(told(ORDINARY)).toContain(
      'isolation.pid: carried out with --sys, or together with isolation.user',
    );
    expect(told(ORDINARY).filter((line) => line.includes('!'))).toEqual([]);
    expect(told({ ...ORDINARY, userNamespaces: false })).toEqual(
      expect.arrayContaining([
        'isolation.pid: carried out with --sys only',
        'isolation.user:! not carried out: this kernel, or its settings, allow no user namespaces',
      ]),
    );
  });

  it.each<[Partial<KeyFacts>, string]>([
    [
      { controllers: undefined },
      'limits.cgroup:! not carried out: there is no cgroup v2 hierarchy at /sys/fs/cgroup/sup',
    ],
    [
      { controllers: ['cpu'] },
      'limits.cgroup:! not carried out: the cgroup v2 hierarchy has no controller memory',
    ],
    [
      { cgroupWritable: false },
      'limits.cgroup:! not carried out: no cgroup can be made at /sys/fs/cgroup/sup',
    ],
    [
      { noneOf: ['network'] },
      'isolation.network:! not carried out: the settings allow no network namespaces (/proc/sys/user)',
    ],
    [{ unshare: false }, 'isolation.user:! not carried out: unshare of util-linux is not there'],
    [{ landlockAbi: 4 }, 'isolation.landlock: carried out; ABI 4 restricts less than ABI 6 (Linux 6.12)'],
  ])('keys that the machine cannot apply are named: %o', (facts, line) => {
    expect(told({ ...ROOT, ...facts })).toEqual([line]);
  });

  it.each<[Partial<KeyFacts>, string]>([
    [{ seccomp: false }, 'this kernel has no seccomp filters'],
    [{ architecture: 'riscv64' }, 'no filters for riscv64'],
  ])('seccomp and address families need filters: %o', (facts, why) => {
    expect(told({ ...ROOT, ...facts })).toEqual(
      ['address_families', 'seccomp'].map((key) => `isolation.${key}:! not carried out: ${why}`),
    );
  });

  it('Landlock and its ports are missing if the kernel has none or is too old', () => {
    expect(told({ ...ROOT, landlockAbi: 0 })).toEqual(
      ['landlock', 'ports'].map(
        (key) => `isolation.${key}:! not carried out: this kernel has no Landlock, or it is not switched on`,
      ),
    );
    expect(told({ ...ROOT, landlockAbi: 3 })[1]).toBe(
      'isolation.ports:! not carried out: this kernel has Landlock ABI 3, and ports need ABI 4 (Linux 6.7)',
    );
  });

  it('without the C library the privileged keys are left to that finding', () => {
    expect(judgeKeys({ ...ROOT, ffi: false })).toEqual([]);
  });

  it('the finding says whether version 2 continues without them', () => {
    const mendOf = (facts: KeyFacts, key: string): string | undefined =>
      judgeKeys(facts).find(({ id }) => id === `key ${key}`)?.mend;
    expect(mendOf(without(SETUID), 'user')).toMatch(/is refused, under version 2 too$/);
    expect(mendOf(without(SYS_ADMIN), 'isolation.pid')).toMatch(/under version 2 it runs without$/);
    expect(mendOf({ ...ROOT, ffi: false, controllers: undefined }, 'limits.cgroup')).toMatch(
      /under version 2 it runs without$/,
    );
  });

  it('in a user namespace namespaces are not available if the settings forbid them', () => {
    expect(told({ ...ORDINARY, noneOf: ['pid'] }).filter((line) => line.includes('!'))).toEqual([
      'isolation.pid:! not carried out: the settings allow no pid namespaces (/proc/sys/user)',
    ]);
  });
});

describe('root of a user namespace', () => {
  const within = (changes: Partial<KeyFacts['inside']>): KeyFacts => ({
    ...ROOT,
    inside: { ...ROOT.inside, isInitial: false, ...changes },
  });
  const LIMITS = [
    ...['nofile', 'nproc', 'memlock', 'core', 'stack', 'fsize'].map(
      (one) => `limits.${one}: carried out; no hard limit is raised: that needs CAP_SYS_RESOURCE`,
    ),
    'limits.nice: carried out; priority only goes down: up needs CAP_SYS_NICE',
    'limits.oom_score_adj: carried out; it only goes up: down needs CAP_SYS_RESOURCE',
  ];
  const ROOT_INSIDE =
    'isolation.user: carried out; root inside under version 3 needs ids of /etc/subuid and /etc/subgid that are mapped here, else the service is refused; under version 2 it is root outside too';

  it('root of a user namespace raises no limit, which needs root of the machine', () => {
    expect(told(within({}))).toEqual(LIMITS);
    expect(judgeRoot(within({})).says).toBe('root of a user namespace, with all capabilities in it');
  });

  it('root of a user namespace accepts only mapped users and groups', () => {
    const some = 'are mapped into this user namespace, and any other is refused';
    expect(told(within({ users: 65_536, groups: 3 }))).toEqual([
      `user: carried out; only 65536 users ${some}`,
      `group: carried out; only 3 groups ${some}`,
      `supplementary_groups: carried out; only 3 groups ${some}`,
      ...LIMITS,
      ROOT_INSIDE,
    ]);
    expect(told(within({ users: 1 }))[0]).toBe(
      'user:! not carried out: no other users are mapped into this user namespace',
    );
  });

  it('root of a user namespace accepts no user if groups cannot be set', () => {
    const why = 'not carried out: groups cannot be set in this user namespace (/proc/self/setgroups: deny)';
    expect(told(within({ users: 1, groups: 1, maySetGroups: false }))).toEqual([
      ...['user', 'group', 'supplementary_groups'].map((key) => `${key}:! ${why}`),
      ...LIMITS,
      ROOT_INSIDE,
    ]);
  });
});

describe('root without all capabilities', () => {
  it('root is reported with what it lacks', () => {
    expect(judgeRoot(ROOT).says).toBe('root with all capabilities');
    expect(judgeRoot({ ...without(SYS_ADMIN), sys: false }).says).toBe(
      'root without CAP_SYS_ADMIN; the privileged supervisor is asked about with --sys',
    );
    expect(judgeRoot(ORDINARY).says).toBe("user 1000: only a supervisor of this user's own");
  });
});
