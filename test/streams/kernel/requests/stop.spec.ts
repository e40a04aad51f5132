import { describe, expect, it } from 'vitest';
import type { Effect } from '../../../../src/streams/domain/effect.ts';
import { runId } from '../../../../src/streams/domain/ids.ts';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { idOf, needs, specOf } from '../../../support/spec.ts';

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

  it('comes once, although a service that could not be verified to have ended moves on', () => {
    const sup = kernel();
    sup.start(specOf('web'));
    sup.up('web');
    sup.ask({ type: 'shutdown' });
    const news = { service: idOf('web'), run: runId(1) };
    const alive = [{ pid: 7, startTicks: 7 }];
    sup.post({ ...news, type: 'surveyed', alive, evidence: [] });
    sup.post({ ...news, type: 'elapsed', timer: 'stop-timeout' });
    sup.drain();
    sup.post({ ...news, type: 'elapsed', timer: 'stop-verify' });
    expect(types(sup.drain()).slice(-2)).toEqual(['reply', 'quit']);
    sup.post({ ...news, type: 'surveyed', alive: [{ pid: 8, startTicks: 8 }], evidence: [] });
    sup.ask({ type: 'shutdown' });
    sup.exit('web', 137);
    expect(types(sup.drain())).not.toContain('quit');
  });

  it('keeps the verdict about what had failed before', () => {
    const sup = kernel();
    sup.start(specOf('web', { restartPolicy: 'never' }));
    sup.spawned('web');
    sup.exit('web', 1);
    signal(sup, 'SIGTERM');
    expect(sup.service('web')).toMatchObject({ resume: false, actual: { why: { tag: 'failed' } } });
  });
});
