import { describe, expect, it } from 'vitest';
import type { SeccompSpec } from '../../../../src/streams/domain/declared/spec.ts';
import { expandGroups, GROUP_NAMES } from '../../../../src/streams/launch/seccomp/call-groups.ts';
import {
  BASELINE,
  BASELINE_ABSENT,
  type Filtered,
  filterProgram,
} from '../../../../src/streams/launch/seccomp/filter.ts';
import { assemble } from '../../../../src/streams/launch/seccomp/bpf.ts';
import { CALL_NAMES, callNumber, highestCall } from '../../../../src/streams/launch/seccomp/system-calls.ts';
import { answerOf, type Call } from './run.ts';

const X64 = 0xc000003e;
const ALLOW = 0x7fff0000;
const EPERM = 0x00050001;
const ENOSYS = 0x00050026;
const KILL = 0x80000000;
const LOG = 0x7ffc0000;
const EAFNOSUPPORT = 0x00050061;

const spec = (changes: Partial<SeccompSpec> = {}): SeccompSpec => ({
  profile: 'baseline',
  allow: [],
  deny: [],
  action: 'errno',
  ...changes,
});

const answerWith = (
  changes: Partial<SeccompSpec>,
  name: string,
  args: Pick<Call, 'flags' | 'second'>,
): number =>
  answerOf(filterProgram({ seccomp: spec(changes) }, 'x64'), {
    architecture: X64,
    number: callNumber(name, 'x64')!,
    ...args,
  });

const answer = (changes: Partial<SeccompSpec>, name: string, flags = 0): number =>
  answerWith(changes, name, { flags });

describe('the tables of system calls', () => {
  it('the tables of system calls have the numbers of the kernel', () => {
    expect(
      ['read', 'openat', 'execve', 'seccomp', 'landlock_create_ruleset'].map((name) =>
        callNumber(name, 'x64'),
      ),
    ).toEqual([0, 257, 59, 317, 444]);
    expect(
      ['read', 'openat', 'execve', 'seccomp', 'fadvise64'].map((name) => callNumber(name, 'arm64')),
    ).toEqual([63, 56, 221, 277, 223]);
    expect(callNumber('open', 'arm64')).toBeUndefined();
  });

  it('the tables of system calls have every name of the baseline', () => {
    expect([...BASELINE, ...BASELINE_ABSENT].filter((name) => !CALL_NAMES.includes(name))).toEqual([]);
  });
});

describe('a seccomp filter', () => {
  it('a seccomp filter denies the calls of the baseline and allows all others', () => {
    expect(answer({}, 'ptrace')).toBe(EPERM);
    expect(answer({}, 'mount')).toBe(EPERM);
    expect(answer({}, 'read')).toBe(ALLOW);
    expect(answer({}, 'execve')).toBe(ALLOW);
  });

  it('a seccomp filter reports clone3 and io_uring as missing with every action', () => {
    expect(answer({ action: 'kill' }, 'clone3')).toBe(ENOSYS);
    expect(answer({}, 'io_uring_setup')).toBe(ENOSYS);
  });

  it('a seccomp filter tells a clone that creates a namespace from one that does not', () => {
    expect(answer({}, 'clone', 0x1200011)).toBe(ALLOW);
    expect(answer({}, 'clone', 0x10000000 | 17)).toBe(EPERM);
    expect(answer({ allow: ['clone'] }, 'clone', 0x10000000)).toBe(ALLOW);
  });

  it.each([
    { family: 'AF_UNIX', number: 1, verdict: ALLOW },
    { family: 'AF_INET', number: 2, verdict: ALLOW },
    { family: 'AF_INET6', number: 10, verdict: ALLOW },
    { family: 'AF_NETLINK', number: 16, verdict: ALLOW },
    { family: 'AF_PACKET', number: 17, verdict: EAFNOSUPPORT },
    { family: 'AF_ALG', number: 38, verdict: EAFNOSUPPORT },
    { family: 'AF_VSOCK', number: 40, verdict: EAFNOSUPPORT },
  ])(
    'a seccomp filter of the baseline has the same result for a socket of $family with every action',
    ({ number, verdict }) => {
      expect(answer({}, 'socket', number)).toBe(verdict);
      expect(answer({ action: 'kill' }, 'socketpair', number)).toBe(verdict);
      expect(answer({ allow: ['socket'] }, 'socket', number)).toBe(ALLOW);
      expect(answer({ profile: 'none' }, 'socket', number)).toBe(ALLOW);
    },
  );

  it('a seccomp filter of the baseline denies ioctls that type into a terminal, by the low half of the argument', () => {
    expect(answerWith({}, 'ioctl', { second: 0x5412 })).toBe(EPERM);
    expect(answerWith({ action: 'kill' }, 'ioctl', { second: 0x541c })).toBe(KILL);
    expect(answerWith({}, 'ioctl', { second: 0x5401 })).toBe(ALLOW);
    expect(answerWith({ allow: ['ioctl'] }, 'ioctl', { second: 0x5412 })).toBe(ALLOW);
  });

  it('a seccomp filter of the baseline allows reading the personality and denies disabling protections', () => {
    expect(answer({}, 'personality', 0xffffffff)).toBe(ALLOW);
    expect(answer({}, 'personality', 0)).toBe(ALLOW);
    expect(answer({}, 'personality', 0x0040000)).toBe(EPERM);
    expect(answer({}, 'personality', 0x0400000)).toBe(EPERM);
  });

  it('a seccomp filter of the baseline denies modify_ldt and reports name_to_handle_at as missing', () => {
    expect(answer({ action: 'kill' }, 'modify_ldt')).toBe(KILL);
    expect(answer({ action: 'kill' }, 'name_to_handle_at')).toBe(ENOSYS);
  });

  it.each(['x64', 'arm64'] as const)(
    'a seccomp filter of the baseline reports newer calls of %s as missing',
    (machine) => {
      const architecture = machine === 'x64' ? X64 : 0xc00000b7;
      const verdict = (number: number, changes: Partial<SeccompSpec> = {}): number =>
        answerOf(filterProgram({ seccomp: spec({ action: 'kill', ...changes }) }, machine), {
          architecture,
          number,
        });
      const highest = highestCall(machine);
      expect(verdict(highest)).toBe(ALLOW);
      expect(verdict(highest + 1)).toBe(ENOSYS);
      expect(verdict(0x3fffffff)).toBe(ENOSYS);
      expect(verdict(0x40000000)).toBe(KILL);
      expect(verdict(highest + 1, { profile: 'none' })).toBe(ALLOW);
    },
  );

  it('a seccomp filter allows and denies on top of the profile, and deny wins', () => {
    expect(answer({ allow: ['ptrace'] }, 'ptrace')).toBe(ALLOW);
    expect(answer({ deny: ['socket'] }, 'socket')).toBe(EPERM);
    expect(answer({ allow: ['socket'], deny: ['socket'] }, 'socket')).toBe(EPERM);
    expect(answer({ deny: ['clone3'] }, 'clone3')).toBe(EPERM);
    expect(answer({ deny: ['clone'] }, 'clone')).toBe(EPERM);
  });

  it('a seccomp filter allows and denies groups of calls', () => {
    expect(answer({ deny: ['@chown'] }, 'fchownat')).toBe(EPERM);
    expect(answer({ allow: ['@debug'] }, 'ptrace')).toBe(ALLOW);
    expect(answer({ allow: ['@debug'], deny: ['ptrace'] }, 'ptrace')).toBe(EPERM);
    expect(answer({ profile: 'none', deny: ['@mount'] }, 'move_mount')).toBe(EPERM);
  });

  it('a seccomp filter starts empty under profile none', () => {
    expect(answer({ profile: 'none' }, 'ptrace')).toBe(ALLOW);
    expect(answer({ profile: 'none', deny: ['ptrace'] }, 'ptrace')).toBe(EPERM);
  });

  it('a seccomp filter kills or only logs, as declared', () => {
    expect(answer({ action: 'kill' }, 'ptrace')).toBe(KILL);
    expect(answer({ action: 'log' }, 'ptrace')).toBe(LOG);
  });

  it('a seccomp filter denies calls of another architecture, whose numbers differ', () => {
    const program = filterProgram({ seccomp: spec() }, 'x64');
    expect(answerOf(program, { architecture: 0x40000003, number: 3 })).toBe(EPERM);
    expect(answerOf(program, { architecture: X64, number: 0x40000000 })).toBe(EPERM);
  });

  it('a seccomp filter has the layout of the kernel', () => {
    const [load, compare] = [...Array(2).keys()].map((at) =>
      [...assemble(filterProgram({ seccomp: spec() }, 'x64'))].slice(at * 8, at * 8 + 8),
    );
    expect(load).toEqual([0x20, 0, 0, 0, 4, 0, 0, 0]);
    expect(compare).toEqual([0x15, 0, 1, 0, 0x3e, 0, 0, 0xc0]);
  });
});

describe('the groups of system calls', () => {
  it('the groups of system calls have only names of the table, and never execve', () => {
    const calls = GROUP_NAMES.map((name) => [name, expandGroups([name])] as const);
    expect(calls.flatMap(([, names]) => names).filter((name) => !CALL_NAMES.includes(name))).toEqual([]);
    expect(calls.filter(([, names]) => names.includes('execve'))).toEqual([]);
    expect(expandGroups(['@swap', 'read', 'swapon'])).toEqual(['swapoff', 'swapon', 'read']);
  });
});

describe('the address families of a filter', () => {
  const INET = 2;
  const NETLINK = 16;
  const PACKET = 17;
  const answers = (filtered: Filtered, call = 'socket'): readonly number[] =>
    [INET, NETLINK, PACKET].map((flags) =>
      answerOf(filterProgram(filtered, 'x64'), {
        architecture: X64,
        number: callNumber(call, 'x64')!,
        flags,
      }),
    );

  it('no address families except those of a filter are allowed, with and without a profile', () => {
    const expected = [ALLOW, EAFNOSUPPORT, EAFNOSUPPORT];
    expect(answers({ families: ['AF_INET'] })).toEqual(expected);
    expect(answers({ families: ['AF_INET'] }, 'socketpair')).toEqual(expected);
    expect(answers({ families: ['AF_INET'], seccomp: spec() })).toEqual(expected);
    expect(answers({ families: ['AF_INET'], seccomp: spec({ allow: ['socket'] }) })).toEqual(expected);
    expect(answers({ families: ['AF_PACKET'], seccomp: spec() })).toEqual([
      EAFNOSUPPORT,
      EAFNOSUPPORT,
      ALLOW,
    ]);
    expect(answers({ families: [] })).toEqual([EAFNOSUPPORT, EAFNOSUPPORT, EAFNOSUPPORT]);
  });

  it('the address families of a filter cannot be evaded by io_uring, and other calls stay allowed', () => {
    const call = (name: string): number =>
      answerOf(filterProgram({ families: [] }, 'x64'), {
        architecture: X64,
        number: callNumber(name, 'x64')!,
      });
    expect(['io_uring_setup', 'ptrace', 'clone3'].map(call)).toEqual([ENOSYS, ALLOW, ALLOW]);
  });
});
