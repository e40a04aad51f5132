import { describe, expect, it } from 'vitest';
import type { Privilege } from '../../../src/streams/domain/declared/spec.ts';
import type { LaunchFacts } from '../../../src/streams/launch/launch-facts.ts';
import { launchPlan } from '../../../src/streams/launch/launch-plan.ts';
import { specOf } from '../../support/spec.ts';
import { facts, isolation, privilege } from './facts.ts';

const BASELINE = { profile: 'baseline', allow: [], deny: [], action: 'errno' } as const;

describe('a launch that is refused before the spawn', () => {
  const refused = (changes: Partial<Privilege>, given: LaunchFacts): unknown => {
    const plan = launchPlan(specOf('web', { schema: 2, ...privilege(changes) }), given);
    return plan.tag === 'refused' ? plan.refusal : plan;
  };

  it('a launch is refused if a service with a user would run as root', () => {
    expect(refused({ user: 'web' }, facts({ privileged: false }))).toEqual({
      code: 'ERR0742',
      key: 'user',
      detail: 'it would run as root and not as web: this supervisor was started without --sys',
      final: true,
    });
    expect(refused({ user: 'root' }, facts({ privileged: false }))).toMatchObject({
      code: 'ERR0742',
      detail: 'no user is set here, root neither: this supervisor was started without --sys',
    });
  });

  it('a launch is refused if a CPU does not exist', () => {
    expect(refused({ limits: { cpuAffinity: [1, 7] } }, facts())).toMatchObject({
      code: 'ERR0744',
      key: 'limits.cpu_affinity',
      detail: 'this machine has no CPU 7; it has 0, 1',
    });
  });

  it('a launch is refused if the supervisor lacks a capability', () => {
    expect(refused({ capabilities: ['CAP_CHOWN', 'CAP_BPF'] }, facts())).toMatchObject({
      code: 'ERR0743',
      detail: 'the supervisor does not have CAP_BPF to give; it has CAP_CHOWN, CAP_NET_BIND_SERVICE',
    });
  });

  it('a launch is refused if system calls cannot be filtered on this machine', () => {
    expect(
      refused({ isolation: isolation({ seccomp: BASELINE }) }, facts({ architecture: 'other' })),
    ).toMatchObject({
      code: 'ERR0724',
      key: 'isolation.seccomp',
    });
  });
});
