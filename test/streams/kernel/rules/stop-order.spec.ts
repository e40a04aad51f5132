import { describe, expect, it } from 'vitest';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { needs, specOf } from '../../../support/spec.ts';

const stack = (): Kernel => {
  const sup = kernel();
  sup.start(
    specOf('web', { dependsOn: needs('cache') }),
    specOf('cache', { dependsOn: needs('db') }),
    specOf('db'),
  );
  return sup;
};

describe('a stop', () => {
  it('of a dependency leaves alone who needs it', () => {
    const sup = stack();
    sup.up('db', 'cache', 'web');
    sup.ask({ type: 'stop', selection: { services: ['db'] } });
    sup.exit('db', 143);
    expect(sup.tags('db', 'cache', 'web')).toEqual(['down', 'up', 'up']);
    expect(sup.replies().at(-1)).toMatchObject({ ok: true });
  });

  it('of everything ends dependents first', () => {
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
});
