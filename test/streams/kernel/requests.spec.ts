import { describe, expect, it } from 'vitest';
import type { Effect } from '../../../src/streams/domain/effect.ts';
import { requestId } from '../../../src/streams/domain/ids.ts';
import { kernel, type Kernel } from '../../support/kernel.ts';
import { idOf, manifestOf, needs, specOf } from '../../support/spec.ts';

const running = (): Kernel => {
  const sup = kernel();
  sup.start(specOf('web', { dependsOn: needs('db') }), specOf('db'));
  sup.up('db', 'web');
  sup.drain();
  return sup;
};
const signal = (sup: Kernel, name: 'SIGTERM' | 'SIGINT' | 'SIGHUP'): void =>
  sup.post({ type: 'signalled', signal: name });
const types = (effects: readonly Effect[]): readonly string[] => effects.map(({ type }) => type);

describe('a start', () => {
  it('by name starts what the service needs too, and nobody else', () => {
    const sup = kernel();
    const specs = [specOf('web', { dependsOn: needs('db') }), specOf('db'), specOf('mail')];
    const request = sup.ask({ type: 'start', selection: { manifest: '/shop/sup.yaml', services: ['web'] } });
    sup.load(request, manifestOf(...specs));
    expect(sup.tags('db', 'web', 'mail')).toEqual(['spawning', 'waiting', 'down']);
  });

  it('of nothing is done at once', () => {
    const sup = kernel();
    const request = sup.ask({ type: 'start', selection: {} });
    sup.load(request, manifestOf());
    expect(sup.replies()).toEqual([{ ok: true, done: { services: [], warnings: [] } }]);
  });

  it('tells the services that it is about, and the warnings of the load', () => {
    const sup = kernel();
    const warning = {
      code: 'ERR0705',
      severity: 'warning',
      path: 'services.web.user',
      message: 'no effect',
    } as const;
    const request = sup.ask({ type: 'start', selection: { manifest: '/shop/sup.yaml' } });
    sup.load(request, manifestOf(specOf('web')), [warning]);
    sup.up('web');
    expect(sup.replies()).toEqual([
      { ok: true, done: { services: [idOf('web')], warnings: ['ERR0705 services.web.user: no effect'] } },
    ]);
  });

  it('that takes too long names those who are still on their way, and them only', () => {
    const sup = kernel();
    const request = sup.start(specOf('web'), specOf('db'));
    sup.up('db');
    sup.post({ type: 'request-expired', request: requestId(request) });
    expect(sup.replies()).toMatchObject([{ ok: false, error: { code: 'ERR0107', service: idOf('web') } }]);
    sup.post({ type: 'request-expired', request: requestId(request) });
    expect(sup.replies()).toHaveLength(1);
  });

  it('of a service that nobody declares is refused', () => {
    const sup = running();
    const request = sup.ask({ type: 'start', selection: { services: ['wbe'] } });
    sup.load(request, manifestOf(specOf('web', { dependsOn: needs('db') }), specOf('db')));
    expect(sup.replies()).toMatchObject([{ ok: false, error: { code: 'ERR0202', name: 'wbe' } }]);
  });
});

describe('forget', () => {
  it('stops the services of the manifest, in order, and drops them with it', () => {
    const sup = running();
    sup.ask({ type: 'forget', manifest: '/shop/sup.yaml' });
    expect(sup.tags('web', 'db')).toEqual(['stopping', 'up']);
    sup.exit('web', 143);
    sup.exit('db', 143);
    expect(sup.state()).toMatchObject({ manifests: {}, projects: {}, graph: {}, roster: { size: 0 } });
    expect(sup.replies()).toMatchObject([{ ok: true }]);
  });

  it('of a manifest that is not on record is refused', () => {
    const sup = running();
    sup.ask({ type: 'forget', manifest: '/other.yaml' });
    expect(sup.replies()).toMatchObject([
      { ok: false, error: { code: 'ERR0202', name: '/other.yaml', known: ['/shop/sup.yaml'] } },
    ]);
  });
});

describe('an end', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('by %s leaves what was wanted to the next supervisor', (name) => {
    const sup = running();
    signal(sup, name);
    sup.exit('web', 143);
    sup.exit('db', 143);
    expect(sup.service('web')).toMatchObject({ resume: true, actual: { tag: 'down' } });
    expect(types(sup.drain()).at(-1)).toBe('quit');
  });

  it('by shutdown leaves nothing to be started', () => {
    const sup = running();
    sup.ask({ type: 'shutdown' });
    sup.exit('web', 143);
    sup.exit('db', 143);
    expect(sup.service('web').resume).toBe(false);
    expect(types(sup.drain()).slice(-2)).toEqual(['reply', 'quit']);
  });

  it('that was asked for twice comes once', () => {
    const sup = running();
    signal(sup, 'SIGTERM');
    signal(sup, 'SIGTERM');
    sup.exit('web', 143);
    sup.exit('db', 143);
    expect(types(sup.drain()).filter((type) => type === 'quit')).toHaveLength(1);
  });

  it('keeps the verdict about what had failed before', () => {
    const sup = kernel();
    sup.start(specOf('web', { restartPolicy: 'never' }));
    sup.spawned('web');
    sup.exit('web', 1);
    signal(sup, 'SIGTERM');
    expect(sup.service('web')).toMatchObject({ resume: false, actual: { why: { tag: 'failed' } } });
  });

  it('takes no orders any more but a shutdown', () => {
    const sup = running();
    signal(sup, 'SIGTERM');
    sup.ask({ type: 'stop', selection: {} });
    sup.ask({ type: 'reload' });
    expect(sup.replies()).toMatchObject([{ error: { code: 'ERR0206' } }, { error: { code: 'ERR0206' } }]);
  });
});

describe('SIGHUP', () => {
  it('reads every registered manifest and needs no answer to be given', () => {
    const sup = running();
    signal(sup, 'SIGHUP');
    expect(Object.values(sup.state().requests)).toMatchObject([
      { command: { type: 'reload' }, phase: 'loading', paths: ['/shop/sup.yaml'] },
    ]);
  });
});
