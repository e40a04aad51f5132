import { describe, expect, it } from 'vitest';
import type { Manifest } from '../../../../src/streams/domain/declared/manifest.ts';
import type { Command } from '../../../../src/streams/domain/command.ts';
import { projectId, requestId, serviceId } from '../../../../src/streams/domain/ids.ts';
import type { ServiceSpec } from '../../../../src/streams/domain/declared/spec.ts';
import { kernel, type Kernel } from '../../../support/kernel.ts';
import { SHOP, specOf } from '../../../support/spec.ts';

const apply: Command = { type: 'apply', selection: {} };

describe('a service that moves between registered manifests', () => {
  const X = '/shop/x.yaml';
  const Y = '/shop/y.yaml';
  const within = (path: string, projects: readonly string[], ...specs: readonly ServiceSpec[]): Manifest => ({
    ...{ path, schema: 2, services: specs },
    projects: projects.map((id) => ({ id: projectId(id), name: id, manifest: path })),
  });
  const of = (path: string, name: string, changes: Partial<ServiceSpec> = {}): ServiceSpec =>
    specOf(name, { manifest: path, ...changes });
  const other = (path: string): ServiceSpec =>
    of(path, 'other', { id: serviceId(projectId('other'), 'other'), project: projectId('other') });
  const both = (sup: Kernel, command: Command, ...manifests: readonly Manifest[]): void =>
    sup.post({
      type: 'manifests-loaded',
      request: requestId(sup.ask(command)),
      loads: manifests.map((manifest) => ({ path: manifest.path, manifest, problems: [] })),
    });
  /** The manifest x.yaml declares `shop`, and y.yaml declares `other`. */
  const apart = (): Kernel => {
    const sup = kernel();
    const start = (path: string): Command => ({ type: 'start', selection: { manifest: path } });
    sup.load(sup.ask(start(X)), within(X, ['shop'], of(X, 'web')));
    sup.load(sup.ask(start(Y)), within(Y, ['other'], other(Y)));
    sup.up('web');
    sup.drain();
    return sup;
  };
  const x = within(X, []);
  const y = within(Y, ['other', 'shop'], other(Y), of(Y, 'web'));

  it.each([[[x, y]], [[y, x]]])(
    'a moved service belongs to the other manifest and keeps running',
    (manifests) => {
      const sup = apart();
      both(sup, apply, ...manifests);
      expect(sup.replies()).toMatchObject([{ ok: true }]);
      expect(sup.service('web')).toMatchObject({
        actual: { tag: 'up' },
        runs: 1,
        leaving: false,
        spec: { manifest: Y },
      });
      expect(sup.service('web').revised).toBeUndefined();
      expect(sup.state().projects[SHOP]?.manifest).toBe(Y);
      both(sup, { type: 'plan', selection: {} }, ...manifests);
      expect(sup.replies().at(-1)).toMatchObject({ ok: true, done: { plan: { changes: [] } } });
    },
  );

  it('a moved service gets a new run if it has changed too', () => {
    const sup = apart();
    both(sup, apply, x, within(Y, ['other', 'shop'], other(Y), of(Y, 'web', { directory: '/elsewhere' })));
    expect(sup.tag('web')).toBe('stopping');
    sup.exit('web', 143);
    expect(sup.service('web')).toMatchObject({
      actual: { tag: 'spawning' },
      spec: { directory: '/elsewhere' },
    });
    sup.up('web');
    expect(sup.replies()).toMatchObject([{ ok: true }]);
  });

  it('a moved service is included in a start of everything, and not removed', () => {
    const sup = apart();
    both(sup, { type: 'start', selection: {} }, x, y);
    expect(sup.service('web')).toMatchObject({ leaving: false, runs: 1, spec: { manifest: Y } });
  });

  it('a service does not move while its own manifest declares it', () => {
    const sup = apart();
    both(sup, apply, within(X, ['shop'], of(X, 'web')), y);
    expect(sup.replies()).toMatchObject([{ ok: false, error: { code: 'ERR0301', problems: [{ file: Y }] } }]);
  });

  it('a service that two manifests newly declare belongs to the first one', () => {
    const sup = kernel();
    both(sup, apply, within(X, ['shop'], of(X, 'web')), within(Y, ['shop'], of(Y, 'web')));
    expect(sup.replies()).toMatchObject([{ ok: false, error: { code: 'ERR0301', problems: [{ file: Y }] } }]);
  });

  it('a start of the new manifest alone does not move a service and recommends apply', () => {
    const sup = apart();
    both(sup, { type: 'start', selection: { manifest: Y } }, y);
    const [reply] = sup.replies();
    expect(reply).toMatchObject({ ok: false, error: { code: 'ERR0218' } });
    expect(JSON.stringify(reply)).toContain('sup apply');
  });
});
