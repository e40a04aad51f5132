import { describe, expect, it } from 'vitest';
import type { IsolationSpec, Privilege, ProtectSpec } from '../../../src/streams/domain/declared/spec.ts';
import type { LaunchFacts } from '../../../src/streams/launch/launch-facts.ts';
import { launchPlan } from '../../../src/streams/launch/launch-plan.ts';
import type { PlannedStep } from '../../../src/streams/launch/launch-step.ts';
import { callNumber } from '../../../src/streams/launch/seccomp/system-calls.ts';
import { specOf } from '../../support/spec.ts';
import { facts, isolation, privilege, WEB } from './facts.ts';
import { answerOf } from './seccomp/run.ts';

const planned = (
  changes: Partial<Privilege>,
  given: LaunchFacts,
  schema: 2 | 3 = 3,
): readonly PlannedStep[] => {
  const plan = launchPlan(specOf('web', { schema, ...privilege(changes) }), given);
  if (plan.tag === 'refused') throw new Error(plan.refusal.detail);
  return plan.stages.flat();
};

const told = (step: PlannedStep): string => {
  if (step.tag === 'user') return `user ${step.uid}${step.keep ? ' keeping' : ''}`;
  if (step.tag === 'capabilities') return `capabilities ${step.keep.join(',')}`;
  return step.tag === 'directory' ? `directory ${step.path}` : step.tag;
};

const SECCOMP = { profile: 'baseline', allow: [], deny: [], action: 'errno' } as const;

describe('rights that a service can gain', () => {
  it('a launch plan of version 3 leaves another user no capabilities and no way to gain rights', () => {
    const ofUser = (schema: 2 | 3, changes: Partial<Privilege> = {}, account = WEB): readonly string[] =>
      planned({ user: 'web', ...changes }, facts({ runsAs: { account, supplementary: [] } }), schema)
        .map(told)
        .filter((word) => !/^groups?$/.test(word));
    const hardened = ['user 33 keeping', 'capabilities ', 'directory /shop', 'no-new-privileges'];
    expect(ofUser(2)).toEqual(['user 33', 'directory /shop']);
    expect(ofUser(3)).toEqual(hardened);
    expect(ofUser(2, { capabilities: [], isolation: isolation({ noNewPrivs: true }) })).toEqual(hardened);
    expect(ofUser(3, { capabilities: ['CAP_NET_BIND_SERVICE'] })[1]).toBe('capabilities 10');
    expect(ofUser(3, { isolation: isolation({ noNewPrivs: false }) })).toEqual(hardened.slice(0, 3));
    expect(ofUser(3, {}, { ...WEB, uid: 0 })).toEqual(['user 0', 'directory /shop']);
  });

  it('a launch plan has one filter for address families and seccomp', () => {
    const steps = (changes: Partial<IsolationSpec>): readonly string[] =>
      planned({ isolation: isolation(changes) }, facts()).map(told);
    expect(steps({ addressFamilies: [] })).toEqual(['directory /shop', 'no-new-privileges', 'seccomp']);
    const both = { addressFamilies: [], seccomp: SECCOMP };
    expect(steps(both)).toEqual(['directory /shop', 'no-new-privileges', 'seccomp']);
    expect(steps({ noNewPrivs: true })).toEqual(['directory /shop', 'no-new-privileges']);
  });

  it('a launch plan leaves no capability to a user in a user namespace unless one is declared', () => {
    const given = facts({ runsAs: { account: WEB, supplementary: [] } });
    const steps = planned({ user: 'web', isolation: isolation({ user: true }) }, given).map(told);
    expect(steps.slice(steps.indexOf('user-namespace') + 1)).toEqual([
      'user 33 keeping',
      'capabilities ',
      'directory /shop',
      'no-new-privileges',
    ]);
  });
});

describe('the steps of isolation.protect', () => {
  const STRICT: ProtectSpec = {
    ...{ system: 'read_only' as const, home: 'hidden' as const, tmp: 'private' as const },
    ...{ devices: 'minimal' as const, proc: 'own' as const, kernel: 'read_only' as const },
  };
  const words = (changes: Partial<IsolationSpec>, given = facts(), schema: 2 | 3 = 3): readonly string[] =>
    planned({ isolation: isolation(changes) }, given, schema).map((step) =>
      step.tag === 'protect' ? `protect ${Object.keys(step.parts).join(' ')}` : step.tag,
    );

  it('the steps of isolation.protect come before the user changes, with a domain and a filter at the end', () => {
    expect(words({ protect: STRICT })).toEqual([
      'protect proc',
      'protect system home tmp devices kernel',
      'directory',
      'no-new-privileges',
      'landlock',
      'no-new-privileges',
      'seccomp',
    ]);
    expect(words({ protect: { tmp: 'private' } })[0]).toBe('protect tmp');
    expect(words({ protect: { proc: 'own' } })[0]).toBe('protect proc');
  });

  it('the steps of isolation.protect are made inside a user namespace, but /proc outside of it', () => {
    const range = { first: 5000, count: 10 };
    const inside = facts({ inside: { users: range, groups: range } });
    const order = words({ protect: STRICT, user: true }, inside);
    expect(order.slice(0, 5)).toEqual([
      'protect proc',
      'groups',
      'user-namespace',
      'inner-root',
      'protect system home tmp devices kernel',
    ]);
    const own = words({ protect: STRICT, user: true, pid: true }, inside);
    expect(own.indexOf('protect proc')).toBeGreaterThan(own.indexOf('user-namespace'));
  });

  it('the steps of isolation.protect need root or a user namespace', () => {
    const plain = facts({ privileged: false, uid: 1000 });
    expect(words({ protect: STRICT }, plain)).toEqual([]);
    expect(words({ protect: STRICT, user: true }, plain)).toContain('protect proc');
  });

  it('the steps of isolation.protect may be refused under version 2 only, and deny what would undo them', () => {
    const steps = (schema: 2 | 3): readonly PlannedStep[] =>
      planned({ isolation: isolation({ protect: STRICT }) }, facts(), schema);
    const refusable = (schema: 2 | 3): readonly string[] =>
      steps(schema).flatMap(({ tag, mayRefuse }) => (mayRefuse.length > 0 ? [tag] : []));
    expect(refusable(2)).toEqual(['protect', 'protect', 'landlock']);
    expect(refusable(3)).toEqual([]);
    const filter = steps(3).find(({ tag }) => tag === 'seccomp');
    const answer = (name: string): number =>
      answerOf(filter?.tag === 'seccomp' ? filter.filter : [], {
        architecture: 0xc000_003e,
        number: callNumber(name, 'x64')!,
      });
    const ALLOW = 0x7fff_0000;
    const denied = ['mount', 'umount2', 'move_mount', 'open_by_handle_at', 'init_module', 'iopl', 'reboot'];
    expect(denied.filter((name) => answer(name) === ALLOW)).toEqual([]);
    expect(['read', 'unshare', 'ptrace', 'io_uring_setup'].filter((name) => answer(name) !== ALLOW)).toEqual(
      [],
    );
  });

  it('the steps of isolation.protect keep what the service needs, and leave rw_paths writable', () => {
    const landlock = { roPaths: ['/srv'], rwPaths: ['/var/lib/web'], execPaths: [] };
    const [step] = planned({ isolation: isolation({ protect: { tmp: 'private' }, landlock }) }, facts());
    expect(step).toMatchObject({
      writable: ['/var/lib/web'],
      kept: ['/shop', '/bin/sleep', '/srv', '/var/lib/web'],
    });
  });
});
