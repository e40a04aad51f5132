import { describe, expect, it } from 'vitest';
import { NOT_CARRIED_OUT } from '../../../src/manifest/check/ignored-keys.ts';
import type { IsolationSpec, Privilege, ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';
import { ignoredKeys, keysThatNeedCalls } from '../../../src/streams/launch/keys-without-effect.ts';
import { specOf } from '../../support/spec.ts';
import { isolation, privilege } from './facts.ts';

const keysOf = (changes: Partial<Privilege>, privileged: boolean): readonly string[] =>
  ignoredKeys(specOf('web', privilege(changes)), privileged).map(({ key }) => key);

const CGROUP: Partial<Privilege> = { limits: { cgroup: { root: '/sys/fs/cgroup/sup', memoryMax: 1 } } };
const WHO: Partial<Privilege> = { user: 'web', group: 'web', supplementaryGroups: ['ssl'], capabilities: [] };
const spaces = (changes: Partial<IsolationSpec> = {}): Partial<Privilege> => ({
  isolation: isolation({ network: true, mount: true, pid: true, ...changes }),
});

describe('keys without effect on a run', () => {
  it('without a privileged supervisor, keys that need one have no effect', () => {
    expect(keysOf(WHO, false)).toEqual(['user', 'group', 'supplementary_groups', 'capabilities']);
    expect(keysOf(CGROUP, false)).toEqual(['limits.cgroup']);
    expect(keysOf(spaces(), false)).toEqual(['isolation.network', 'isolation.mount', 'isolation.pid']);
  });

  it('keys without effect exclude namespaces inside a user namespace', () => {
    expect(keysOf(spaces({ user: true }), false)).toEqual([]);
  });

  it('with a privileged supervisor, only unimplemented keys have no effect, for a load and for a run', () => {
    expect(keysOf({ ...WHO, ...CGROUP, ...spaces() }, true)).toEqual([]);
    const never = { apparmorProfile: 'x', selinuxContext: 'x', privateDevices: true, privateTmp: true };
    expect(keysOf({ isolation: isolation(never) }, true)).toEqual(
      NOT_CARRIED_OUT.map(({ key }) => key).filter((key) => key.startsWith('isolation.')),
    );
  });

  it('keys without effect come with a reason', () => {
    expect(ignoredKeys(specOf('web', privilege({ user: 'web' })), false)).toEqual([
      { key: 'user', detail: 'has no effect without a privileged supervisor (--sys)' },
    ]);
  });
});

const SOCKETS: Partial<ServiceSpec> = {
  sockets: [{ name: 'http', listen: { tag: 'tcp', host: '127.0.0.1', port: 80 }, backlog: 511 }],
};
const LIMITS = privilege({ limits: { nofile: 100, cpuAffinity: [0], cgroup: { root: '/c', memoryMax: 1 } } });
const IDENTITY = privilege({ user: 'web', group: 'web', supplementaryGroups: ['ssl'], capabilities: [] });
const SPACES = privilege({ isolation: isolation({ network: true, pid: true }) });

const callKeysOf = (changes: Partial<ServiceSpec>, privileged = false): readonly string[] =>
  keysThatNeedCalls(specOf('web', changes), privileged);

describe('keys that need the C library', () => {
  it('a service without privileged keys does not need the C library', () => {
    expect(callKeysOf({})).toEqual([]);
    expect(callKeysOf({}, true)).toEqual([]);
  });

  it('limits, restrictions, held sockets and dynamic children need the C library in each mode', () => {
    expect(callKeysOf(LIMITS)).toEqual(['limits.nofile', 'limits.cpu_affinity']);
    expect(callKeysOf(SOCKETS)).toEqual(['sockets']);
    expect(callKeysOf({ spawn: { ...specOf('web').spawn, mode: 'dynamic' } })).toEqual(['spawn.mode']);
    const restricted = isolation({ landlock: { roPaths: [], rwPaths: [], execPaths: [] }, ports: {} });
    expect(callKeysOf(privilege({ isolation: restricted }))).toEqual([
      'isolation.landlock',
      'isolation.ports',
    ]);
    const narrowed = isolation({ addressFamilies: [], noNewPrivs: true });
    expect(callKeysOf(privilege({ isolation: narrowed }))).toEqual([
      'isolation.address_families',
      'isolation.no_new_privs',
    ]);
  });

  it('root-only keys need the C library only with a privileged supervisor', () => {
    expect(callKeysOf(IDENTITY)).toEqual([]);
    expect(callKeysOf(IDENTITY, true)).toEqual(['user', 'group', 'supplementary_groups', 'capabilities']);
    expect(callKeysOf(LIMITS, true)).toContain('limits.cgroup');
    expect(callKeysOf(SPACES)).toEqual([]);
    expect(callKeysOf(SPACES, true)).toEqual(['isolation.network', 'isolation.pid']);
  });

  it('namespaces inside a user namespace need the C library in each mode', () => {
    const inside = privilege({ isolation: isolation({ network: true, user: true }) });
    expect(callKeysOf(inside)).toEqual(['isolation.network', 'isolation.user']);
  });
});
