import { describe, expect, it } from 'vitest';
import { LOOSE, serviceId } from '../../../src/streams/domain/ids.ts';
import type { Manifest, Problem } from '../../../src/streams/domain/declared/manifest.ts';
import { instant } from '../../../src/streams/domain/time.ts';
import { claimantOf, claims } from '../../../src/streams/kernel/manifest-claims.ts';
import { openDraft, type Draft } from '../../../src/streams/kernel/draft.ts';
import { register } from '../../../src/streams/kernel/register-manifests.ts';
import { serviceAt } from '../../../src/streams/kernel/service-table.ts';
import { INITIAL_STATE, type SupervisorState } from '../../../src/streams/kernel/state.ts';
import { manifestOf, specOf } from '../../support/spec.ts';

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
const old = specOf('web', { digest: 'old' });

const claimsOf = (
  state: SupervisorState,
  together: readonly Manifest[],
  manifest: Manifest,
): readonly Problem[] => claims(state, together.map(claimantOf), manifest);

describe('a claim to a service name', () => {
  it.each([
    ['the same project of the same manifest', manifestOf(old), []],
    ['another loose service', loose('/b.yaml', 'mail'), []],
    ['a loose service of another manifest', loose('/b.yaml', 'cache'), ['services.cache']],
    [
      'the project of another manifest',
      { ...manifestOf(), path: '/b.yaml', projects: [{ ...manifestOf().projects[0]!, manifest: '/b.yaml' }] },
      ['projects.shop'],
    ],
  ])('a claim to %s is a problem at %j', (_, manifest, paths) => {
    const { state } = draftWith(manifestOf(old), loose('/a.yaml', 'cache'));
    const problems = claimsOf(state, [manifest], manifest);
    expect(problems.map(({ path }) => path)).toEqual(paths);
    expect(problems.every(({ code, message }) => code === 'ERR0218' && message.includes('/b.yaml'))).toBe(
      true,
    );
  });

  it('a claim to a service that is being removed is not a problem', () => {
    const draft = draftWith(loose('/a.yaml', 'cache'));
    const id = serviceId(LOOSE, 'cache');
    const leaving = { ...serviceAt(draft.state.serviceTable, id)!, leaving: true };
    const serviceTable = { ...draft.state.serviceTable, chunks: [[leaving]] };
    expect(claimsOf({ ...draft.state, serviceTable }, [], loose('/b.yaml', 'cache'))).toEqual([]);
  });
});

describe('claims of manifests that are read together', () => {
  const mine = loose('/b.yaml', 'cache');

  it('a claim is not a problem if the other manifest no longer declares the service', () => {
    const { state } = draftWith(loose('/a.yaml', 'cache'));
    expect(claimsOf(state, [loose('/a.yaml'), mine], mine)).toEqual([]);
    expect(claimsOf(state, [loose('/a.yaml', 'cache'), mine], mine)).toHaveLength(1);
  });

  it('a claim to a service that an earlier manifest newly declares is a problem', () => {
    const { state } = draftWith();
    const earlier = loose('/a.yaml', 'cache');
    expect(claimsOf(state, [earlier, mine], mine)).toHaveLength(1);
    expect(claimsOf(state, [earlier, mine], earlier)).toEqual([]);
  });
});
