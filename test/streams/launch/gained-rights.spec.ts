import { describe, expect, it } from 'vitest';
import type { IsolationSpec, Privilege } from '../../../src/streams/domain/declared/spec.ts';
import type { LaunchFacts } from '../../../src/streams/launch/launch-facts.ts';
import { launchPlan } from '../../../src/streams/launch/launch-plan.ts';
import type { PlannedStep } from '../../../src/streams/launch/launch-step.ts';
import { specOf } from '../../support/spec.ts';
import { facts, isolation, privilege, WEB } from './facts.ts';

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
