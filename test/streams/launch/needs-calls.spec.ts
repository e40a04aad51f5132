import { describe, expect, it } from 'vitest';
import type { ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';
import { needsCalls } from '../../../src/streams/launch/needs-calls.ts';
import { specOf } from '../../support/spec.ts';
import { isolation, privilege } from './facts.ts';

const SOCKETS: Partial<ServiceSpec> = {
  sockets: [{ name: 'http', listen: { tag: 'tcp', host: '127.0.0.1', port: 80 }, backlog: 511 }],
};
const LIMITS = privilege({ limits: { nofile: 100, cpuAffinity: [0], cgroup: { root: '/c', memoryMax: 1 } } });
const WHO = privilege({ user: 'web', group: 'web', supplementaryGroups: ['ssl'], capabilities: [] });
const SPACES = privilege({ isolation: isolation({ network: true, pid: true }) });

const keysOf = (changes: Partial<ServiceSpec>, privileged = false): readonly string[] =>
  needsCalls(specOf('web', changes), privileged);

describe('keys that need calls to the C library', () => {
  it('are none of a service that declares nothing of the kind', () => {
    expect(keysOf({})).toEqual([]);
    expect(keysOf({}, true)).toEqual([]);
  });

  it('are limits, restrictions, held sockets and dynamic children in each mode', () => {
    expect(keysOf(LIMITS)).toEqual(['limits.nofile', 'limits.cpu_affinity']);
    expect(keysOf(SOCKETS)).toEqual(['sockets']);
    expect(keysOf({ spawn: { ...specOf('web').spawn, mode: 'dynamic' } })).toEqual(['spawn.mode']);
    const restricted = isolation({ landlock: { roPaths: [], rwPaths: [], execPaths: [] }, ports: {} });
    expect(keysOf(privilege({ isolation: restricted }))).toEqual(['isolation.landlock', 'isolation.ports']);
  });

  it('are those of root only with a privileged supervisor', () => {
    expect(keysOf(WHO)).toEqual([]);
    expect(keysOf(WHO, true)).toEqual(['user', 'group', 'supplementary_groups', 'capabilities']);
    expect(keysOf(LIMITS, true)).toContain('limits.cgroup');
    expect(keysOf(SPACES)).toEqual([]);
    expect(keysOf(SPACES, true)).toEqual(['isolation.network', 'isolation.pid']);
  });

  it('are the namespaces inside a user namespace in each mode', () => {
    const inside = privilege({ isolation: isolation({ network: true, user: true }) });
    expect(keysOf(inside)).toEqual(['isolation.network', 'isolation.user']);
  });
});
