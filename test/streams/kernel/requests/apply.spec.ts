import { describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/streams/domain/command.ts';
import type { Manifest } from '../../../../src/streams/domain/declared/manifest.ts';
import type { ServiceSpec } from '../../../../src/streams/domain/declared/spec.ts';
import type { Strategy } from '../../../../src/streams/domain/service/rollout.ts';
import { ms } from '../../../../src/streams/domain/time.ts';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { idOf, manifestOf, specOf } from '../../../support/spec.ts';

/** The service was started by name, although its `skip` command succeeds. */
const overridden = (spec: (digest: string) => ServiceSpec): Kernel => {
  const sup = kernel();
  const first = { type: 'start', selection: { services: ['web'] } } as const;
  sup.load(sup.ask(first), manifestOf(spec('v1')));
  sup.up('web');
  return sup;
};

describe('an apply to a service started by name', () => {
  const web =
    (strategy: Exclude<Strategy, 'blue-green'>) =>
    (digest: string): ServiceSpec =>
      specOf('web', { digest, skip: 'true', deployment: { strategy, gracePeriod: ms(0) } });

  it.each(['immediate', 'rolling'] as const)(
    'an apply keeps the skip override of a service started by name: %s',
    (strategy) => {
      const spec = web(strategy);
      const sup = overridden(spec);
      sup.load(sup.ask({ type: 'apply', selection: {} }), manifestOf(spec('v2')));
      if (strategy === 'immediate') sup.exit('web', 143);
      const { rollout, ...service } = sup.service('web');
      const next = rollout?.other ?? service;
      expect(next).toMatchObject({ spec: { digest: 'v2' }, actual: { tag: 'spawning' }, insisted: true });
    },
  );

  it('a restart of everything ends the skip override', () => {
    const spec = web('rolling');
    const sup = overridden(spec);
    sup.load(sup.ask({ type: 'restart', selection: {} }), manifestOf(spec('v1')));
    expect(sup.service('web').rollout?.other).toMatchObject({
      actual: { tag: 'preparing', step: 'skip' },
      insisted: false,
    });
  });

  it('an apply does not run a job that was run by name', () => {
    const job = (digest: string): ServiceSpec =>
      specOf('web', { digest, kind: 'cron', cron: { expression: '0 0 * * *', timezone: 'utc' } });
    const sup = overridden(job);
    sup.load(sup.ask({ type: 'apply', selection: {} }), manifestOf(job('v2')));
    sup.exit('web', 143);
    expect(sup.tag('web')).toBe('scheduled');
  });
});

describe('an apply that reaches a service without changes', () => {
  const apply = (service?: string): Command => ({
    type: 'apply',
    selection: service === undefined ? {} : { services: [service] },
  });
  type Strategies = Exclude<Strategy, 'blue-green'>;
  const both = (web: string, strategy: Strategies = 'immediate'): Manifest =>
    manifestOf(
      specOf('db', { digest: 'v2' }),
      specOf('web', { digest: web, deployment: { strategy, gracePeriod: ms(0) } }),
    );
  /** Both services have changed, and it is the turn of `db`. */
  const atDb = (strategy: Strategies = 'immediate'): Kernel => {
    const sup = kernel();
    sup.load(
      sup.ask({ type: 'start', selection: {} }),
      manifestOf(specOf('db', { digest: 'v1' }), ...both('v1', strategy).services.slice(1)),
    );
    sup.up('db', 'web');
    sup.drain();
    sup.load(sup.ask(apply()), both('v2', strategy));
    expect(sup.tags('db', 'web')).toEqual(['stopping', 'up']);
    return sup;
  };
  const dbIsThere = (sup: Kernel): void => {
    sup.exit('db', 143);
    sup.up('db');
  };
  const firstReply = (sup: Kernel): unknown => sup.replies()[0];

  it('an apply leaves a service alone if its change was taken back', () => {
    const sup = atDb();
    sup.load(sup.ask(apply()), both('v1'));
    dbIsThere(sup);
    expect(sup.service('web')).toMatchObject({ actual: { tag: 'up' }, runs: 1 });
    expect(firstReply(sup)).toMatchObject({
      ok: true,
      done: { outcomes: [{ what: 'restarted' }, { what: 'running' }] },
    });
  });

  it('an apply leaves an unchanged service alone if it crashed meanwhile, and answers with its error', () => {
    const sup = atDb();
    sup.load(sup.ask(apply()), both('v1'));
    sup.exit('web', 1);
    expect(sup.tag('web')).toBe('backing-off');
    dbIsThere(sup);
    expect(sup.service('web')).toMatchObject({ actual: { tag: 'backing-off' }, runs: 1 });
    expect(firstReply(sup)).toMatchObject({ ok: false, error: { failures: [{ code: 'ERR0101' }] } });
  });

  it('an apply does not repeat a change that another apply has made', () => {
    const sup = atDb();
    sup.load(sup.ask(apply('web')), both('v2'));
    sup.exit('web', 143);
    sup.up('web');
    dbIsThere(sup);
    expect(sup.service('web')).toMatchObject({ actual: { tag: 'up' }, runs: 2 });
    expect(sup.replies().filter(({ ok }) => ok)).toHaveLength(2);
  });

  it('an apply waits for a change that another apply is making', () => {
    const sup = atDb();
    sup.load(sup.ask(apply('web')), both('v2'));
    sup.exit('web', 143);
    dbIsThere(sup);
    expect(sup.tag('web')).toBe('spawning');
    sup.up('web');
    expect(sup.service('web')).toMatchObject({ actual: { tag: 'up' }, spec: { digest: 'v2' }, runs: 2 });
    expect(sup.replies().filter(({ ok }) => ok)).toHaveLength(2);
  });

  it('an apply reports the outcome of a run that another apply started', () => {
    const sup = atDb();
    sup.load(sup.ask(apply('web')), both('v2'));
    sup.exit('web', 143);
    sup.spawned('web');
    sup.exit('web', 1);
    dbIsThere(sup);
    expect(firstReply(sup)).toMatchObject({
      ok: false,
      error: { failures: [{ code: 'ERR0102', service: idOf('web') }] },
    });
  });

  it('two applies of one change roll out once', () => {
    const sup = atDb('rolling');
    sup.load(sup.ask(apply('web')), both('v2', 'rolling'));
    const { rollout } = sup.service('web');
    dbIsThere(sup);
    expect(sup.service('web').rollout).toEqual(rollout);
    expect(sup.service('web').rollout?.again).toBeUndefined();
  });
});
