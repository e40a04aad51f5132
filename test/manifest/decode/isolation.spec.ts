import { describe, expect, it } from 'vitest';
import { loadText, manifestOf, serviceWith, toldOf, wrongWith } from '../loading.ts';

const OFF = {
  network: false,
  mount: false,
  pid: false,
  user: false,
  privateDevices: false,
  privateTmp: false,
};
const isolationWith = (fields: string) => serviceWith(`isolation: { ${fields} }`).privilege.isolation;
const errors = (fields: string): readonly string[] =>
  wrongWith(`isolation: { ${fields} }`).filter((line) => !line.startsWith('ERR0705'));

describe('isolation', () => {
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
  ])('takes %s', (fields, expected) => {
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
    ['seccomp: { deny: ["rm -rf"] }', 'ERR0213 isolation.seccomp.deny[0]: "rm -rf" is not a system call'],
    [
      'landlock: { ro_paths: [usr] }',
      'ERR0213 isolation.landlock.ro_paths[0]: "usr" is not an absolute path',
    ],
  ])('refuses %s', (fields, told) => {
    expect(errors(fields)).toEqual([told]);
  });
});

describe('a system call', () => {
  it.each([
    ['allow: [ptrce]', 'is not a system call'],
    ['deny: [execve]', 'is what the service itself is begun with'],
  ])('%s is refused', (list, message) => {
    const { problems } = loadText(manifestOf(`isolation: { seccomp: { ${list} } }`));
    expect(toldOf(problems).join('\n')).toContain(message);
  });

  it('that only another machine knows is no mistake', () => {
    expect(loadText(manifestOf('isolation: { seccomp: { deny: [open, renameat] } }')).problems).toEqual([]);
  });
});
