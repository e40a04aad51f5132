import { describe, expect, it } from 'vitest';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import type { ServiceSpec } from '../../../../src/streams/domain/declared/spec.ts';
import { runId } from '../../../../src/streams/domain/ids.ts';
import { ms } from '../../../../src/streams/domain/time.ts';
import { idOf, manifestOf, needs, specOf } from '../../../support/spec.ts';

const stack = (): Kernel => {
  const sup = kernel();
  sup.start(
    specOf('web', { dependsOn: needs('cache') }),
    specOf('cache', { dependsOn: needs('db') }),
    specOf('db'),
  );
  return sup;
};

describe('the stop order', () => {
  it('a stop of a dependency does not touch its dependents', () => {
    const sup = stack();
    sup.up('db', 'cache', 'web');
    sup.ask({ type: 'stop', selection: { services: ['db'] } });
    sup.exit('db', 143);
    expect(sup.tags('db', 'cache', 'web')).toEqual(['down', 'up', 'up']);
    expect(sup.replies().at(-1)).toMatchObject({ ok: true });
  });

  it('a stop of everything ends dependents first', () => {
    const sup = stack();
    sup.up('db', 'cache', 'web');
    sup.ask({ type: 'stop', selection: {} });
    expect(sup.tags('db', 'cache', 'web')).toEqual(['up', 'up', 'stopping']);
    sup.exit('web', 143);
    expect(sup.tags('db', 'cache', 'web')).toEqual(['up', 'stopping', 'down']);
    sup.exit('cache', 143);
    sup.exit('db', 143);
    expect(sup.tags('db', 'cache', 'web')).toEqual(['down', 'down', 'down']);
    expect(sup.replies().at(-1)).toMatchObject({ ok: true });
  });

  /** `web` runs with a declaration that needs `db`. The newest declarations have other dependencies. */
  const redeclared = (...newest: readonly ServiceSpec[]): Kernel => {
    const sup = kernel();
    sup.start(specOf('web', { dependsOn: needs('db') }), specOf('db'));
    sup.up('db', 'web');
    sup.start(...newest.map((spec) => ({ ...spec, digest: 'newest' })));
    sup.ask({ type: 'stop', selection: {} });
    return sup;
  };

  it('a stop also follows the dependencies that the run was declared with', () => {
    const sup = redeclared(specOf('web'), specOf('db'));
    expect(sup.tags('db', 'web')).toEqual(['up', 'stopping']);
    sup.exit('web', 143);
    expect(sup.tags('db', 'web')).toEqual(['stopping', 'down']);
  });

  it('a stop also follows the dependencies of the run that a rollout retires', () => {
    const deployment = { strategy: 'rolling', gracePeriod: ms(0) } as const;
    const sup = kernel();
    sup.start(specOf('web', { deployment, dependsOn: needs('db') }), specOf('db'));
    sup.up('db', 'web');
    const newest = manifestOf(specOf('web', { directory: '/newest', deployment }), specOf('db'));
    sup.load(sup.ask({ type: 'apply', selection: {} }), newest);
    const candidate = { service: idOf('web'), run: runId(2) };
    sup.post({ ...candidate, type: 'spawned', process: { pid: 77, startTicks: 7 } });
    sup.post({ ...candidate, type: 'elapsed', timer: 'stability' });
    expect(sup.service('web').rollout?.stages.at(-1)?.step).toBe('retiring');
    sup.load(sup.ask({ type: 'start', selection: { services: ['db'] } }), newest);
    sup.ask({ type: 'stop', selection: {} });
    sup.exit('web', 143);
    expect(sup.tags('db', 'web')).toEqual(['up', 'down']);
    const old = { service: idOf('web'), run: runId(1) };
    sup.post({ ...old, type: 'exited', status: { tag: 'code', code: 143 } });
    sup.post({ ...old, type: 'surveyed', alive: [], evidence: [] });
    expect(sup.tags('db', 'web')).toEqual(['stopping', 'down']);
  });

  it('a stop does not deadlock if declarations of different times contradict each other', () => {
    const sup = redeclared(specOf('web'), specOf('db', { dependsOn: needs('web') }));
    expect(sup.tags('db', 'web')).toEqual(['stopping', 'up']);
    sup.exit('db', 143);
    sup.exit('web', 143);
    expect(sup.tags('db', 'web')).toEqual(['down', 'down']);
  });
});
