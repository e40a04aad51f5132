import { describe, expect, it } from 'vitest';
import { ms } from '../../../../src/streams/domain/time.ts';
import { worded } from '../../../../src/streams/views/notes/note-text.ts';
import { kernel } from '../../../support/kernel.ts';
import { idOf, manifestOf, needs, specOf } from '../../../support/spec.ts';

/** Returns how often dependencies are read while `count` services that are down are removed. */
const readsToRemove = (count: number): number => {
  let reads = 0;
  const specs = Array.from({ length: count }, (_, at) => {
    const { dependsOn, ...spec } = specOf(`s${at}`);
    return {
      ...spec,
      get dependsOn() {
        reads += 1;
        return dependsOn;
      },
    };
  });
  const sup = kernel();
  sup.start(...specs);
  sup.up(...specs.map(({ name }) => name));
  sup.ask({ type: 'stop', selection: {} });
  specs.forEach(({ name }) => sup.exit(name, 143));
  reads = 0;
  sup.ask({ type: 'forget', manifest: '/shop/sup.yaml' });
  expect(sup.state().serviceTable.size).toBe(0);
  return reads;
};

describe('a service that is being removed', () => {
  it('removing ten times as many services in one step takes ten times as much work', () => {
    expect(readsToRemove(300) / readsToRemove(30)).toBeCloseTo(10, 0);
  });

  it('a forget drops the profiles of the manifest', () => {
    const profiles = [{ service: idOf('mail'), profiles: ['dev'] }];
    const sup = kernel();
    const request = sup.ask({ type: 'start', selection: { manifest: '/shop/sup.yaml' } });
    sup.load(request, { ...manifestOf(specOf('web')), profiles });
    expect(sup.state().profiles).toEqual({ '/shop/sup.yaml': profiles });
    sup.ask({ type: 'forget', manifest: '/shop/sup.yaml' });
    expect(sup.state().profiles).toEqual({});
  });

  it('a removed service is gone once it is down, not before', () => {
    const sup = kernel();
    sup.start(specOf('web'), specOf('db'));
    sup.up('web', 'db');
    sup.ask({ type: 'forget', manifest: '/shop/sup.yaml' });
    sup.exit('web', 143);
    expect(sup.state().serviceTable.size).toBe(1);
    expect(sup.service('db').leaving).toBe(true);
    sup.exit('db', 143);
    expect(sup.state()).toMatchObject({ serviceTable: { size: 0 }, graph: {} });
    const text = sup.drain().flatMap((effect) => (effect.type === 'note' ? [worded(effect).text] : []));
    expect(text.filter((line) => line.startsWith('left'))).toHaveLength(2);
  });

  it('a removed service stops after its dependents', () => {
    const sup = kernel();
    sup.start(specOf('web', { dependsOn: needs('db') }), specOf('db'));
    sup.up('db', 'web');
    sup.ask({ type: 'forget', manifest: '/shop/sup.yaml' });
    expect(sup.tags('web', 'db')).toEqual(['stopping', 'up']);
  });

  it('a removed service is not restarted after its rollout', () => {
    const sup = kernel();
    const web = specOf('web', { deployment: { strategy: 'rolling', gracePeriod: ms(0) } });
    sup.start(web);
    sup.up('web');
    const restart = (): void => {
      sup.load(sup.ask({ type: 'restart', selection: {} }), manifestOf(web));
    };
    restart();
    restart();
    expect(sup.service('web').rollout).toMatchObject({ again: {} });
    sup.ask({ type: 'forget', manifest: '/shop/sup.yaml' });
    expect(sup.service('web').rollout).not.toHaveProperty('again');
  });
});
