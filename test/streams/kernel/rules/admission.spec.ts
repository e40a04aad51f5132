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
