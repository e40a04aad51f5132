import { describe, expect, it } from 'vitest';
import { profileNames } from '../../../src/manifest/check/profiles.ts';
import { loadManifest, manifestTree } from '../../../src/manifest/load.ts';
import type { LoadResult } from '../../../src/streams/domain/declared/manifest.ts';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { directoryWith, portsWith } from '../loading.ts';

const loadWith = (services: string, profiles: readonly string[]): LoadResult => {
  const directory = directoryWith({ 'sup.yaml': `version: "2"\nservices:\n${services}` });
  const path = realpathSync(join(directory, 'sup.yaml'));
  return loadManifest(path, portsWith({ readings: { [path]: { profiles } } }));
};
const namesOf = ({ manifest }: LoadResult): readonly string[] | undefined =>
  manifest?.services.map(({ name }) => name);

const SERVICES = `
  web: { command: x }
  mail: { command: x, profiles: [dev, test] }
  top: { command: x, profiles: [debug] }
`;

describe('profiles', () => {
  it.each([
    [[], ['web']],
    [['dev'], ['web', 'mail']],
    [
      ['test', 'debug'],
      ['web', 'mail', 'top'],
    ],
  ])('of the services those of the profiles %j exist, and those without profiles', (profiles, names) => {
    expect(namesOf(loadWith(SERVICES, profiles))).toEqual(names);
  });

  it('a manifest lists the profiles of its services, also of those that are left out', () => {
    expect(loadWith(SERVICES, ['dev']).manifest?.profiles).toEqual([
      { service: '__loose__/mail', profiles: ['dev', 'test'] },
      { service: '__loose__/top', profiles: ['debug'] },
    ]);
    expect(loadWith('  web: { command: x }\n', []).manifest).not.toHaveProperty('profiles');
  });

  it('the names of profiles are found in a manifest that is not valid', () => {
    const text = `version: "2"
services:
  web: { depends_on: [nowhere], profiles: [dev, test] }
projects:
  shop: { services: { db: { profiles: [debug, dev], commnd: x }, mail: 7 } }
  bank: [oops]
`;
    const root = manifestTree(join(directoryWith({ 'sup.yaml': text }), 'sup.yaml'), portsWith({}));
    expect(root && profileNames(root)).toEqual(['dev', 'test', 'debug']);
  });

  it('an unknown profile is refused, with the one that may be meant', () => {
    expect(loadWith(SERVICES, ['debgu']).problems).toMatchObject([
      { code: 'ERR0226', message: 'no service has the profile "debgu"', hint: 'did you mean "debug"?' },
    ]);
  });

  it('of several profiles in one word, the words to write are shown', () => {
    expect(loadWith(SERVICES, ['dev, debug']).problems).toMatchObject([
      { code: 'ERR0226', hint: 'one by one: --profile dev --profile debug' },
    ]);
  });

  it('a required dependency outside the chosen profiles is refused at its place', () => {
    const services = `${SERVICES}  api:\n    command: x\n    depends_on: [mail]\n`;
    expect(loadWith(services, ['debug']).problems).toMatchObject([
      {
        code: 'ERR0226',
        path: 'services.api.depends_on[0]',
        message: '"mail" is only in the profiles dev, test; chosen: debug',
        line: 9,
      },
    ]);
    expect(loadWith(services, ['dev']).problems).toEqual([]);
  });

  it('a dependency outside the chosen profiles is left out if it is not required', () => {
    const services = `${SERVICES}  api: { command: x, depends_on: [web, { service: mail, required: false }] }\n`;
    const dependencies = (profiles: readonly string[]): unknown =>
      loadWith(services, profiles).manifest?.services.find(({ name }) => name === 'api')?.dependsOn.length;
    expect([dependencies([]), dependencies(['dev'])]).toEqual([1, 2]);
  });

  it('a mistake in a service of another profile is reported', () => {
    expect(loadWith('  a: { command: x, profiles: [dev], bakoff: 1s }\n', []).problems).toMatchObject([
      { code: 'ERR0211' },
    ]);
  });

  it('a service is the same whatever profiles are chosen', () => {
    const digest = (services: string, profiles: readonly string[]): unknown =>
      loadWith(services, profiles).manifest?.services[0]?.digest.length;
    expect(digest(SERVICES, ['dev'])).toBe(digest(SERVICES, []));
  });
});
