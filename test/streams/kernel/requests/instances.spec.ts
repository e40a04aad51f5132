// Services with `replicas` in commands: by name, one after another, and as dependencies.
import { describe, expect, it } from 'vitest';
import { instancesOf } from '../../../../src/streams/rollout/instance-specs.ts';
import type { ServiceSpec } from '../../../../src/streams/domain/declared/spec.ts';
import type { Manifest } from '../../../../src/streams/domain/declared/manifest.ts';
import { DEFAULT_SETTINGS } from '../../../../src/streams/domain/declared/settings.ts';
import { servicesOf } from '../../../../src/streams/kernel/service-table.ts';
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

/** The run of an instance ends after its stop signal, and the next run begins. */
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

  it('an apply reports each instance that it removes', () => {
    const sup = running();
    sup.drain();
    apply(sup, ...web('v1', 1), worker);
    sup.exit('web@2', 0);
    sup.exit('web@3', 0);
    expect(sup.replies()).toMatchObject([
      { ok: true, done: { outcomes: [{ what: 'removed' }, { what: 'removed' }] } },
    ]);
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
    // The next run of `web@2` uses the declaration that works.
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

const template = specOf('web', { digest: 'v1', maxRestarts: 0 });

/** The manifest that declares this number of instances, as it is read from its file. */
const declares = (declared: number): Manifest => ({
  ...manifestOf(...instancesOf(template, declared), worker),
  groups: [{ id: template.id, declared, replicas: declared, template }],
});

const scaled = (sup: Kernel, replicas: number, declared = 3): void =>
  sup.load(sup.ask({ type: 'scale', counts: [{ service: 'web', replicas }] }), declares(declared));

const namesIn = (sup: Kernel): readonly string[] =>
  servicesOf(sup.state().serviceTable).map(({ spec }) => spec.name);

describe('scale', () => {
  it('scale starts new instances together and answers when all are ready', () => {
    const sup = running();
    sup.drain();
    scaled(sup, 5);
    expect(sup.tags('web@3', 'web@4', 'web@5', 'worker')).toEqual(['up', 'spawning', 'spawning', 'up']);
    sup.up('web@4');
    expect(sup.replies()).toEqual([]);
    sup.up('web@5');
    expect(sup.replies()).toMatchObject([
      {
        ok: true,
        done: {
          outcomes: [
            { service: 'shop/web@4', what: 'started' },
            { service: 'shop/web@5', what: 'started' },
          ],
        },
      },
    ]);
  });

  it('scale removes the highest numbers and answers when they are gone', () => {
    const sup = running();
    sup.drain();
    scaled(sup, 1);
    expect(sup.tags('web@1', 'web@2', 'web@3', 'worker')).toEqual(['up', 'stopping', 'stopping', 'up']);
    sup.exit('web@3', 0);
    expect(sup.replies()).toEqual([]);
    sup.exit('web@2', 0);
    expect(sup.replies()).toMatchObject([{ ok: true, done: { outcomes: [{}, { what: 'removed' }] } }]);
    expect(namesIn(sup)).toEqual(['web@1', 'worker']);
  });

  it('scale lasts for a start, an apply and a restart until the number of the manifest changes', () => {
    const sup = running();
    scaled(sup, 4);
    sup.up('web@4');
    sup.load(sup.ask({ type: 'apply', selection: {} }), declares(3));
    expect(sup.tags('web@3', 'web@4')).toEqual(['up', 'up']);
    expect(sup.state().scales).toEqual({
      'shop/web': { manifest: '/shop/sup.yaml', declared: 3, replicas: 4 },
    });
    sup.load(sup.ask({ type: 'apply', selection: {} }), declares(2));
    expect(sup.tags('web@2', 'web@3', 'web@4')).toEqual(['up', 'stopping', 'stopping']);
    expect(sup.state().scales).toEqual({});
  });

  it('scale to the declared number is none', () => {
    const sup = running();
    scaled(sup, 4);
    scaled(sup, 3);
    expect(sup.state().scales).toEqual({});
  });

  it('scale lasts for the next supervisor', () => {
    const sup = running();
    scaled(sup, 4);
    sup.up('web@4');
    const { scales } = sup.state();
    const next = kernel();
    next.post({
      type: 'booted',
      settings: DEFAULT_SETTINGS,
      registered: [
        { path: '/shop/sup.yaml', load: { path: '/shop/sup.yaml', manifest: declares(3), problems: [] } },
      ],
      restored: [],
      found: [],
      sameBoot: true,
      warnings: [],
      ...(scales && { scales }),
    });
    expect(namesIn(next)).toEqual(['web@1', 'web@2', 'web@3', 'web@4', 'worker']);
  });

  it('scale reports the failure of a new instance', () => {
    const sup = running();
    sup.drain();
    scaled(sup, 4);
    sup.spawned('web@4');
    sup.exit('web@4', 1);
    expect(sup.replies()).toMatchObject([{ ok: false, error: { code: 'ERR0102', service: 'shop/web@4' } }]);
  });

  it('scale refuses a service without replicas and an unknown one, and changes nothing', () => {
    const sup = running();
    sup.drain();
    for (const service of ['worker', 'wbe'])
      sup.load(sup.ask({ type: 'scale', counts: [{ service, replicas: 2 }] }), declares(3));
    expect(sup.replies()).toMatchObject([
      { ok: false, error: { code: 'ERR0304', of: 'shop/worker' } },
      { ok: false, error: { code: 'ERR0202', name: 'wbe' } },
    ]);
    expect(sup.state().scales).toBeUndefined();
  });

  it('a forgotten manifest takes its scales along', () => {
    const sup = running();
    scaled(sup, 4);
    sup.ask({ type: 'forget', manifest: '/shop/sup.yaml' });
    expect(sup.state().scales).toEqual({});
  });
});
