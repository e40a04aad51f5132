// Services with `replicas` in commands: by name, one after another, and as dependencies.
import { describe, expect, it } from 'vitest';
import { instancesOf } from '../../../../src/streams/rollout/placeholders.ts';
import type { ServiceSpec } from '../../../../src/streams/domain/declared/spec.ts';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { manifestOf, needs, specOf } from '../../../support/spec.ts';

const web = (digest: string, count = 3, directory = '/shop'): readonly ServiceSpec[] =>
  instancesOf(specOf('web', { digest, directory, maxRestarts: 0 }), count);
const worker = specOf('worker', { dependsOn: needs('web') });

const running = (count = 3): Kernel => {
  const sup = kernel();
  sup.start(...web('v1', count), worker);
  sup.up(...web('v1', count).map(({ name }) => name));
  sup.up('worker');
  return sup;
};

const apply = (sup: Kernel, ...specs: readonly ServiceSpec[]): void =>
  sup.load(sup.ask({ type: 'apply', selection: {} }), manifestOf(...specs));

/** The run of an instance ends as it was asked to, and the next one begins. */
const replaced = (sup: Kernel, name: string): void => {
  sup.exit(name, 0);
  sup.spawned(name);
};

describe('services with replicas', () => {
  it('a dependent waits for all instances', () => {
    const sup = kernel();
    sup.start(...web('v1'), worker);
    sup.up('web@1', 'web@3');
    expect(sup.tag('worker')).toBe('waiting');
    sup.up('web@2');
    expect(sup.tag('worker')).toBe('spawning');
  });

  it('a dependent is stopped with a failed instance, and starts again with it', () => {
    const sup = running();
    sup.exit('web@2', 1);
    expect(sup.tags('worker')).toEqual(['stopping']);
  });

  it('an instance that is removed stops no dependent, and none waits for it', () => {
    const sup = running();
    apply(sup, ...web('v1', 2), worker);
    expect(sup.tags('web@1', 'web@2', 'web@3', 'worker')).toEqual(['up', 'up', 'stopping', 'up']);
    sup.ask({ type: 'stop', selection: { services: ['worker'] } });
    sup.exit('worker', 0);
    sup.start(...web('v1', 2), worker);
    expect(sup.tag('worker')).toBe('spawning');
  });

  it('a name stops all instances, or one', () => {
    const sup = running();
    sup.ask({ type: 'stop', selection: { services: ['web@2'] } });
    expect(sup.tags('web@1', 'web@2', 'web@3')).toEqual(['up', 'stopping', 'up']);
    sup.ask({ type: 'stop', selection: { services: ['shop/web'] } });
    expect(sup.tags('web@1', 'web@2', 'web@3')).toEqual(['stopping', 'stopping', 'stopping']);
  });

  it('an apply changes one instance after another', () => {
    const sup = running();
    apply(sup, ...web('v2', 3, '/v2'), worker);
    expect(sup.tags('web@1', 'web@2', 'web@3')).toEqual(['stopping', 'up', 'up']);
    replaced(sup, 'web@1');
    expect(sup.tags('web@1', 'web@2', 'web@3')).toEqual(['starting', 'up', 'up']);
    sup.up('web@1');
    expect(sup.tags('web@1', 'web@2', 'web@3')).toEqual(['up', 'stopping', 'up']);
  });

  it('an instance that fails leaves the others with their declaration, until the next apply', () => {
    const sup = running();
    apply(sup, ...web('v2', 3, '/v2'), worker);
    replaced(sup, 'web@1');
    sup.drain();
    sup.exit('web@1', 1);
    expect(sup.replies()).toMatchObject([
      {
        ok: false,
        error: { code: 'ERR0302', failures: [{ code: 'ERR0102', service: 'shop/web@1' }] },
        warnings: ['left as before, because shop/web@1 failed: shop/web@2, shop/web@3'],
      },
    ]);
    expect(sup.tags('web@2', 'web@3')).toEqual(['up', 'up']);
    // Its next run is of the declaration that works.
    sup.ask({ type: 'stop', selection: { services: ['web@2'] } });
    sup.exit('web@2', 0);
    sup.start(...web('v2', 3, '/v2'), worker);
    expect(sup.service('web@2').spec.directory).toBe('/shop');
    apply(sup, ...web('v2', 3, '/v2'), worker);
    expect(sup.service('web@3').revised?.directory).toBe('/v2');
  });

  it('a new instance is started although another one failed', () => {
    const sup = running(1);
    apply(sup, ...web('v1', 3), worker);
    expect(sup.tags('web@1', 'web@2', 'web@3')).toEqual(['up', 'spawning', 'down']);
    sup.spawned('web@2');
    sup.exit('web@2', 1);
    expect(sup.tag('web@3')).toBe('spawning');
  });
});
