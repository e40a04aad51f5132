import { describe, expect, it } from 'vitest';
import { loadText, manifestOf, serviceWith, toldOf, wrongWith } from '../loading.ts';

const limitsWith = (fields: string) => serviceWith(`limits: { ${fields} }`, { sys: false }).privilege.limits;
const errors = (fields: string): readonly string[] =>
  wrongWith(fields).filter((line) => !line.startsWith('ERR0705'));

describe('the key limits', () => {
  it.each([
    ['nofile: 1024', { nofile: 1024 }],
    ['nofile: unlimited', { nofile: 'unlimited' }],
    ['nproc: 0', { nproc: 0 }],
    ['memlock: 64M', { memlock: 67_108_864 }],
    ['memlock: unlimited', { memlock: 'unlimited' }],
    ['core: 0', { core: 0 }],
    ['stack: 8M', { stack: 8_388_608 }],
    ['fsize: unlimited', { fsize: 'unlimited' }],
    ['core: unlimited', { core: 'unlimited' }],
    ['nice: -20', { nice: -20 }],
    ['oom_score_adj: -1000', { oomScoreAdj: -1000 }],
    ['cpu_affinity: [0, 3]', { cpuAffinity: [0, 3] }],
    ['cgroup: {}', { cgroup: { root: '/sys/fs/cgroup/sup' } }],
  ])('limits accept %s', (fields, expected) => {
    expect(limitsWith(fields)).toEqual(expected);
  });

  it.each([
    [
      'limits: { nofile: many }',
      'ERR0213 limits.nofile: "many" is neither a whole number, 0 or more, nor unlimited',
    ],
    [
      'limits: { nofile: 9007199254740992 }',
      'ERR0213 limits.nofile: 9007199254740992 is larger than 9007199254740991, the largest number',
    ],
    ['limits: { nproc: -1 }', 'ERR0213 limits.nproc: -1 is neither a whole number, 0 or more, nor unlimited'],
    [
      'limits: { memlock: much }',
      'ERR0210 limits.memlock: "much" is not a whole number, or a number with K, M, G or T, or unlimited',
    ],
    [
      'limits: { oom_score_adj: 1001 }',
      'ERR0213 limits.oom_score_adj: 1001 is not a whole number from -1000 to 1000',
    ],
    ['limits: { nice: 20 }', 'ERR0213 limits.nice: 20 is not a whole number from -20 to 19'],
    [
      'limits: { cpu_affinity: [a] }',
      'ERR0213 limits.cpu_affinity[0]: "a" is not a whole number from 0 to 8191',
    ],
    ['limits: { cpu_affinity: [] }', 'ERR0213 limits.cpu_affinity: 0 entries; it takes at least one entry'],
  ])('limits refuse %s', (fields, told) => {
    expect(errors(fields)).toEqual([told]);
  });
});

const cgroupWith = (fields: string) =>
  serviceWith(`limits: { cgroup: { ${fields} } }`).privilege.limits?.cgroup;
const cgroupErrors = (fields: string): readonly string[] =>
  wrongWith(`limits: { cgroup: { ${fields} } }`).filter((line) => !line.startsWith('ERR0705'));

describe('the key limits.cgroup', () => {
  it.each([
    ['root: /sys/fs/cgroup/mine', { root: '/sys/fs/cgroup/mine' }],
    ['memory_max: 512M', { memoryMax: 536_870_912 }],
    ['memory_max: 1024', { memoryMax: 1024 }],
    ['memory_max: max', { memoryMax: 'max' }],
    ['memory_high: 384M', { memoryHigh: 402_653_184 }],
    ['memory_high: max', { memoryHigh: 'max' }],
    ['pids_max: 64', { pidsMax: 64 }],
    ['pids_max: max', { pidsMax: 'max' }],
    ['cpu_max: max', { cpuMax: 'max' }],
    ['cpu_max: 50000 100000', { cpuMax: '50000 100000' }],
    ['cpu_weight: 10000', { cpuWeight: 10_000 }],
  ])('limits.cgroup accepts %s', (fields, expected) => {
    expect(cgroupWith(fields)).toEqual({ root: '/sys/fs/cgroup/sup', ...expected });
  });

  it.each([
    ['root: here', 'ERR0213 limits.cgroup.root: "here" is not an absolute path'],
    ['cpu_max: half', 'ERR0213 limits.cgroup.cpu_max: "half" is not a pair of quota and period, or `max`'],
    ['pids_max: 0', 'ERR0213 limits.cgroup.pids_max: 0 is neither a whole number, 1 or more, nor max'],
    ['pids_max: "9"', 'ERR0213 limits.cgroup.pids_max: "9" is neither a whole number, 1 or more, nor max'],
    ['cpu_weight: 0', 'ERR0213 limits.cgroup.cpu_weight: 0 is not a whole number from 1 to 10000'],
    ['cpu_weight: 10001', 'ERR0213 limits.cgroup.cpu_weight: 10001 is not a whole number from 1 to 10000'],
  ])('limits.cgroup refuses %s', (fields, told) => {
    expect(cgroupErrors(fields)).toEqual([told]);
  });
});

const OFF = {
  network: false,
  mount: false,
  pid: false,
  user: false,
  privateDevices: false,
  privateTmp: false,
};
const isolationWith = (fields: string) => serviceWith(`isolation: { ${fields} }`).privilege.isolation;
const isolationErrors = (fields: string): readonly string[] =>
  wrongWith(`isolation: { ${fields} }`).filter((line) => !line.startsWith('ERR0705'));

describe('the key isolation', () => {
  it.each([
    ['network: true', { network: true }],
    ['mount: true', { mount: true }],
    ['pid: true', { pid: true }],
    ['user: true', { user: true }],
    ['private_devices: true', { privateDevices: true }],
    ['private_tmp: true', { privateTmp: true }],
    ['apparmor_profile: p', { apparmorProfile: 'p' }],
    ['selinux_context: c', { selinuxContext: 'c' }],
    ['seccomp: baseline', { seccomp: { profile: 'baseline', allow: [], deny: [], action: 'errno' } }],
    [
      'seccomp: { profile: none, allow: [read], deny: [ptrace], action: kill }',
      { seccomp: { profile: 'none', allow: ['read'], deny: ['ptrace'], action: 'kill' } },
    ],
    [
      'landlock: { ro_paths: [/usr], rw_paths: [/tmp], exec_paths: [/usr/bin] }',
      { landlock: { roPaths: ['/usr'], rwPaths: ['/tmp'], execPaths: ['/usr/bin'] } },
    ],
    ['ports: { bind: [80, 443], connect: [] }', { ports: { bind: [80, 443], connect: [] } }],
    ['pid: true, ports: {}', { pid: true }],
    ['address_families: [AF_UNIX, INET6]', { addressFamilies: ['AF_UNIX', 'AF_INET6'] }],
    ['address_families: []', { addressFamilies: [] }],
    ['protect: off, pid: true', { pid: true }],
    ['protect: { tmp: private }', { protect: { tmp: 'private' } }],
    [
      'protect: strict',
      {
        protect: {
          ...{ system: 'read_only', home: 'hidden', tmp: 'private' },
          ...{ devices: 'minimal', proc: 'own', kernel: 'read_only' },
        },
      },
    ],
    [
      'protect: full',
      {
        protect: {
          ...{ system: 'os_read_only', home: 'read_only', tmp: 'private' },
          ...{ devices: 'minimal', kernel: 'read_only' },
        },
      },
    ],
    ['no_new_privs: true', { noNewPrivs: true }],
    ['no_new_privs: false', { noNewPrivs: false }],
    [
      "seccomp: { deny: ['@mount'] }",
      { seccomp: { profile: 'baseline', allow: [], deny: ['@mount'], action: 'errno' } },
    ],
  ])('isolation accepts %s', (fields, expected) => {
    expect(isolationWith(fields)).toEqual({ ...OFF, ...expected });
  });

  it.each([
    ['network: yes please', 'ERR0213 isolation.network: "yes please" is neither true nor false'],
    ['ports: { bind: [0] }', 'ERR0213 isolation.ports.bind[0]: 0 is not a whole number from 1 to 65535'],
    ['seccomp: strict', 'ERR0213 isolation.seccomp: "strict" is not one of baseline'],
    [
      'seccomp: { action: shout }',
      'ERR0213 isolation.seccomp.action: "shout" is not one of errno, kill, log',
    ],
    [
      'seccomp: { deny: ["rm -rf"] }',
      'ERR0213 isolation.seccomp.deny[0]: "rm -rf" is neither a system call nor a group of them',
    ],
    ['protect: tight', 'ERR0213 isolation.protect: "tight" is not one of strict, full, off'],
    [
      'protect: { system: closed }',
      'ERR0213 isolation.protect.system: "closed" is not one of read_only, os_read_only',
    ],
    [
      'address_families: [AF_INTE]',
      'ERR0213 isolation.address_families[0]: "AF_INTE" is not an address family',
    ],
    [
      "seccomp: { deny: ['@mounts'] }",
      'ERR0213 isolation.seccomp.deny[0]: "@mounts" is neither a system call nor a group of them',
    ],
    [
      'landlock: { ro_paths: [usr] }',
      'ERR0213 isolation.landlock.ro_paths[0]: "usr" is not an absolute path',
    ],
  ])('isolation refuses %s', (fields, told) => {
    expect(isolationErrors(fields)).toEqual([told]);
  });
});

describe('a system call in isolation', () => {
  it.each([
    ['allow: [ptrce]', 'is neither a system call nor a group of them'],
    ['deny: [execve]', 'is what the service itself is begun with'],
  ])('the system call %s is refused', (list, message) => {
    const { problems } = loadText(manifestOf(`isolation: { seccomp: { ${list} } }`));
    expect(toldOf(problems).join('\n')).toContain(message);
  });

  it('a system call of another architecture is not a mistake', () => {
    expect(loadText(manifestOf('isolation: { seccomp: { deny: [open, renameat] } }')).problems).toEqual([]);
  });
});
