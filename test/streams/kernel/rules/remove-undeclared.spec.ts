import { describe, expect, it } from 'vitest';
import { ms } from '../../../../src/streams/domain/time.ts';
import { worded } from '../../../../src/streams/views/notes/note-text.ts';
import { kernel } from '../../../support/kernel.ts';
import { manifestOf, needs, specOf } from '../../../support/spec.ts';

describe('a service that is being removed', () => {
  it('a removed service is gone once it is down, not before', () => {
    const sup = kernel();
    sup.start(specOf('web'), specOf('db'));
    sup.up('web', 'db');
    sup.ask({ type: 'forget', manifest: '/shop/sup.yaml' });
    sup.exit('web', 143);
    expect(sup.state().roster.size).toBe(1);
    expect(sup.service('db').leaving).toBe(true);
    sup.exit('db', 143);
    expect(sup.state()).toMatchObject({ roster: { size: 0 }, graph: {} });
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
