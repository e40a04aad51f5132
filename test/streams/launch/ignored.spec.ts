import { describe, expect, it } from 'vitest';
import { NOT_CARRIED_OUT } from '../../../src/manifest/check/carried-out.ts';
import type { IsolationSpec, Privilege } from '../../../src/streams/domain/declared/spec.ts';
import { ignored } from '../../../src/streams/launch/ignored.ts';
import { specOf } from '../../support/spec.ts';
import { isolation, privilege } from './facts.ts';

const keysOf = (changes: Partial<Privilege>, privileged: boolean): readonly string[] =>
  ignored(specOf('web', privilege(changes)), privileged).map(({ key }) => key);

const CGROUP: Partial<Privilege> = { limits: { cgroup: { root: '/sys/fs/cgroup/sup', memoryMax: 1 } } };
const WHO: Partial<Privilege> = { user: 'web', group: 'web', supplementaryGroups: ['ssl'], capabilities: [] };
const spaces = (changes: Partial<IsolationSpec> = {}): Partial<Privilege> => ({
  isolation: isolation({ network: true, mount: true, pid: true, ...changes }),
});

describe('keys that have no effect on a run', () => {
  it('are, without a privileged supervisor, those that need one', () => {
    expect(keysOf(WHO, false)).toEqual(['user', 'group', 'supplementary_groups', 'capabilities']);
    expect(keysOf(CGROUP, false)).toEqual(['limits.cgroup']);
    expect(keysOf(spaces(), false)).toEqual(['isolation.network', 'isolation.mount', 'isolation.pid']);
  });

  it('are no namespaces inside a user namespace of their own', () => {
    expect(keysOf(spaces({ user: true }), false)).toEqual([]);
  });

  it('are, with one, only those that nobody carries out: the same for a load and for a run', () => {
    expect(keysOf({ ...WHO, ...CGROUP, ...spaces() }, true)).toEqual([]);
    const never = { apparmorProfile: 'x', selinuxContext: 'x', privateDevices: true, privateTmp: true };
    expect(keysOf({ isolation: isolation(never) }, true)).toEqual(
      NOT_CARRIED_OUT.map(({ key }) => key).filter((key) => key.startsWith('isolation.')),
    );
  });

  it('come with why', () => {
    expect(ignored(specOf('web', privilege({ user: 'web' })), false)).toEqual([
      { key: 'user', detail: 'has no effect without a privileged supervisor (--sys)' },
    ]);
  });
});
