import { describe, expect, it } from 'vitest';
import type { ServiceSpec } from '../../../../src/streams/domain/declared/spec.ts';
import type { Strategy } from '../../../../src/streams/domain/service/rollout.ts';
import { ms } from '../../../../src/streams/domain/time.ts';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { manifestOf, specOf } from '../../../support/spec.ts';

/** Started by name although its `skip` would leave it out. */
const overridden = (spec: (digest: string) => ServiceSpec): Kernel => {
  const sup = kernel();
  const first = { type: 'start', selection: { services: ['web'] } } as const;
  sup.load(sup.ask(first), manifestOf(spec('v1')));
  sup.up('web');
  return sup;
};

describe('an apply to a service that was started by name', () => {
  const web =
    (strategy: Exclude<Strategy, 'blue-green'>) =>
    (digest: string): ServiceSpec =>
      specOf('web', { digest, skip: 'true', deployment: { strategy, gracePeriod: ms(0) } });

  it.each(['immediate', 'rolling'] as const)('leaves the override of its skip be: %s', (strategy) => {
    const spec = web(strategy);
    const sup = overridden(spec);
    sup.load(sup.ask({ type: 'apply', selection: {} }), manifestOf(spec('v2')));
    if (strategy === 'immediate') sup.exit('web', 143);
    const { rollout, ...service } = sup.service('web');
    const next = rollout?.other ?? service;
    expect(next).toMatchObject({ spec: { digest: 'v2' }, actual: { tag: 'spawning' }, insisted: true });
  });

  it('has a restart of everything end it', () => {
    const spec = web('rolling');
    const sup = overridden(spec);
    sup.load(sup.ask({ type: 'restart', selection: {} }), manifestOf(spec('v1')));
    expect(sup.service('web').rollout?.other).toMatchObject({
      actual: { tag: 'preparing', step: 'skip' },
      insisted: false,
    });
  });

  it('runs no job that was run by name', () => {
    const job = (digest: string): ServiceSpec =>
      specOf('web', { digest, kind: 'cron', cron: { expression: '0 0 * * *', timezone: 'utc' } });
    const sup = overridden(job);
    sup.load(sup.ask({ type: 'apply', selection: {} }), manifestOf(job('v2')));
    sup.exit('web', 143);
    expect(sup.tag('web')).toBe('scheduled');
  });
});
