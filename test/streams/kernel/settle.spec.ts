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

describe('dependencies', () => {
  it('start from the bottom, each as soon as what it needs is ready', () => {
    const sup = stack();
    expect(sup.tags('db', 'cache', 'web')).toEqual(['spawning', 'waiting', 'waiting']);
    sup.up('db');
    expect(sup.tags('db', 'cache', 'web')).toEqual(['up', 'spawning', 'waiting']);
    sup.up('cache');
    sup.up('web');
    expect(sup.replies()).toMatchObject([{ ok: true }]);
  });

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

  it('are left alone by a manual stop of what they need', () => {
    const sup = stack();
    sup.up('db', 'cache', 'web');
    sup.ask({ type: 'stop', selection: { services: ['db'] } });
    sup.exit('db', 143);
    expect(sup.tags('db', 'cache', 'web')).toEqual(['down', 'up', 'up']);
    expect(sup.replies().at(-1)).toMatchObject({ ok: true });
  });

  it('stop after their dependents when everything stops', () => {
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

  it('that failed are reported once, and those that wait in vain are not blamed', () => {
    const sup = stack();
    sup.spawned('db');
    sup.exit('db', 1);
    expect(sup.replies()).toMatchObject([{ ok: false, error: { code: 'ERR0102', service: idOf('db') } }]);
  });
});

describe('the gate', () => {
  it('lets in as many as max_concurrent allows, the next when one has arrived or failed', () => {
    const sup = kernel({ maxConcurrent: 2 });
    sup.start(specOf('a'), specOf('b'), specOf('c'), specOf('d'));
    expect(sup.tags('a', 'b', 'c', 'd')).toEqual(['spawning', 'spawning', 'waiting', 'waiting']);
    sup.up('a');
    expect(sup.tags('c', 'd')).toEqual(['spawning', 'waiting']);
    sup.spawned('b');
    sup.exit('b', 1);
    expect(sup.tags('b', 'd')).toEqual(['backing-off', 'spawning']);
  });

  it('never starts a service that was stopped while it queued', () => {
    const sup = kernel({ maxConcurrent: 1 });
    sup.start(specOf('a'), specOf('b'), specOf('c'));
    sup.ask({ type: 'stop', selection: { services: ['b'] } });
    sup.up('a');
    expect(sup.tags('a', 'b', 'c')).toEqual(['up', 'down', 'spawning']);
  });
});
