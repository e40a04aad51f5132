import { describe, expect, it } from 'vitest';
import { idOf, needs, specOf } from '../../support/spec.ts';
import { kernel, type Kernel } from '../../support/kernel.ts';

const stack = (): Kernel => {
  const sup = kernel();
  sup.start(
    specOf('web', { dependsOn: needs('cache') }),
    specOf('cache', { dependsOn: needs('db') }),
    specOf('db'),
  );
  return sup;
};

describe('one step', () => {
  it('one step stops dependents and answers at once, without a visible state in between', () => {
    const sup = stack();
    sup.up('db', 'cache');
    sup.post({
      type: 'exited',
      service: idOf('db'),
      run: sup.service('db').runs as never,
      status: { tag: 'code', code: 1 },
    });
    expect(sup.tags('db', 'cache', 'web')).toEqual(['stopping', 'stopping', 'spawning']);
  });

  it('one step blames the failed service, not those that wait for it in vain', () => {
    const sup = stack();
    sup.spawned('db');
    sup.exit('db', 1);
    expect(sup.replies()).toMatchObject([{ ok: false, error: { code: 'ERR0102', service: idOf('db') } }]);
  });
});
