import { describe, expect, it } from 'vitest';
import { LOOSE, serviceId } from '../../../src/streams/domain/ids.ts';
import type { Manifest } from '../../../src/streams/domain/declared/manifest.ts';
import { instant } from '../../../src/streams/domain/time.ts';
import { openDraft, type Draft } from '../../../src/streams/kernel/draft.ts';
import { register, undeclared } from '../../../src/streams/kernel/register-manifests.ts';
import { serviceAt } from '../../../src/streams/kernel/service-table.ts';
import { INITIAL_STATE } from '../../../src/streams/kernel/state.ts';
import { idOf, manifestOf, specOf } from '../../support/spec.ts';

const draftWith = (...manifests: readonly Manifest[]): Draft => {
  const draft = openDraft(INITIAL_STATE, instant(0));
  manifests.forEach((manifest) => register(draft, manifest, []));
  return draft;
};
const loose = (path: string, ...names: readonly string[]): Manifest => ({
  path,
  schema: 2,
  projects: [],
  services: names.map((name) =>
    specOf(name, { id: serviceId(LOOSE, name), project: LOOSE, manifest: path, digest: 'x' }),
  ),
});
const [old, newer] = [specOf('web', { digest: 'old' }), specOf('web', { digest: 'newer' })];

describe('registration of a manifest', () => {
  it('registration reports new and changed services', () => {
    const draft = draftWith(manifestOf(old, specOf('db')));
    expect(register(draft, manifestOf(newer, specOf('db'), specOf('mail')), [])).toEqual({
      added: [idOf('mail')],
      changed: [idOf('web')],
    });
  });

  it('registration keeps the newer declaration beside the present one, and drops it when it is taken back', () => {
    const draft = draftWith(manifestOf(old), manifestOf(newer));
    expect(serviceAt(draft.state.serviceTable, idOf('web'))).toMatchObject({ spec: old, revised: newer });
    expect(register(draft, manifestOf(old), []).changed).toEqual([idOf('web')]);
    expect(serviceAt(draft.state.serviceTable, idOf('web'))).not.toHaveProperty('revised');
  });

  it('registration keeps the profiles of services, also of those that are left out', () => {
    const profiles = [{ service: idOf('mail'), profiles: ['dev'] }];
    const { state } = draftWith({ ...manifestOf(old), profiles });
    expect(state.profiles).toEqual({ [old.manifest]: profiles });
    expect(draftWith(manifestOf(old)).state).not.toHaveProperty('profiles');
    expect(draftWith({ ...manifestOf(old), profiles }, manifestOf(old)).state.profiles).toEqual({});
  });

  it('registration removes no service and names those no longer declared', () => {
    const draft = draftWith(manifestOf(old, specOf('db')), manifestOf(old));
    expect(draft.state.serviceTable.size).toBe(2);
    expect(undeclared(draft.state, [manifestOf(old)]).map(({ spec }) => spec.name)).toEqual(['db']);
  });

  it('registration puts services without a project into one bundle', () => {
    const { state } = draftWith(loose('/a.yaml', 'a'), loose('/b.yaml', 'b'));
    expect(state.projects[LOOSE]).toMatchObject({ id: LOOSE });
    expect(state.serviceTable.size).toBe(2);
    expect(undeclared(state, [loose('/a.yaml')])).toHaveLength(1);
  });
});
