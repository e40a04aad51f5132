import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findDefaultManifest } from '../../src/manifest/file-names.ts';
import { directoryWith } from './loading.ts';

it.each([
  [['sup.yaml', 'sup.yml'], 'sup.yaml'],
  [['sup.yml', 'other.yaml'], 'sup.yml'],
])('of %j the default manifest is %s', (names, expected) => {
  const directory = directoryWith(Object.fromEntries(names.map((name) => [name, ''])));
  expect(findDefaultManifest(directory)).toBe(join(directory, expected));
});

it('a directory without one has no default manifest', () => {
  expect(findDefaultManifest(directoryWith({ 'other.yaml': '' }))).toBeUndefined();
});
