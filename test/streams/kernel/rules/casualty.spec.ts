import { describe, expect, it } from 'vitest';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { idOf, needs, specOf } from '../../../support/spec.ts';

const stack = (): Kernel => {
  const sup = kernel();
  sup.start(
    specOf('web', { dependsOn: needs('cache') }),
    specOf('cache', { dependsOn: needs('db') }),
    specOf('db'),
  );
  return sup;
};

describe('dependencies', () => {
  it('fell all dependents at once and raise them bottom-up, without using their budget', () => {
    const sup = stack();
    sup.up('db', 'cache', 'web');
    sup.exit('db', 1);
    expect(sup.tags('db', 'cache', 'web')).toEqual(['backing-off', 'stopping', 'stopping']);
    sup.exit('cache', 143);
    sup.exit('web', 143);
    expect(sup.service('web').actual).toEqual({ tag: 'casualty', of: [idOf('db')] });
    sup.post({
      type: 'elapsed',
      service: idOf('db'),
      run: sup.service('db').runs as never,
      timer: 'backoff',
    });
    sup.up('db');
    expect(sup.tags('db', 'cache', 'web')).toEqual(['up', 'spawning', 'waiting']);
    sup.up('cache', 'web');
    expect(sup.service('web')).toMatchObject({ actual: { tag: 'up' }, attempts: 0 });
  });

  it('fell who is just beginning as soon as it has, however far away they are', () => {
    const sup = stack();
    sup.up('db', 'cache');
    expect(sup.tag('web')).toBe('spawning');
    sup.exit('db', 1);
    expect(sup.tags('cache', 'web')).toEqual(['stopping', 'spawning']);
    sup.spawned('web');
    expect(sup.service('web').actual).toMatchObject({
      tag: 'stopping',
      cause: { tag: 'felled', of: [idOf('db')] },
    });
  });

  it('fell nobody who has begun when they are there again', () => {
    const sup = stack();
    sup.up('db', 'cache');
    sup.exit('db', 1);
    sup.post({
      type: 'elapsed',
      service: idOf('db'),
      run: sup.service('db').runs as never,
      timer: 'backoff',
    });
    sup.up('db');
    sup.spawned('web');
    expect(sup.tag('web')).toBe('starting');
  });
});
