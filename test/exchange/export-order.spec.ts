import { join } from 'node:path';
import { expect, it } from 'vitest';
import { composeExport } from '../../src/exchange/compose/compose-export.ts';
import { exportManifest } from '../../src/exchange/export-manifest.ts';
import { loadManifest, manifestTree } from '../../src/manifest/load.ts';
import { directoryWith, portsWith } from '../manifest/loading.ts';

type Files = Readonly<Record<string, string>>;

/** Returns the names of the services in the order in which they are exported. `more`: files after the first. */
const exportedNames = (files: Files, more: readonly string[] = []): readonly string[] => {
  const directory = directoryWith(files);
  const path = join(directory, 'sup.yaml');
  const readings = { [path]: { files: more.map((file) => join(directory, file)) } };
  const { manifest, problems } = loadManifest(path, portsWith({ readings }));
  const root = manifestTree(path, portsWith({ readings }));
  if (manifest === undefined || root === undefined) throw new Error(JSON.stringify(problems));
  const names: string[] = [];
  const write: (typeof composeExport)['write'] = (services) => {
    names.push(...services.map(({ spec }) => spec.name));
    return { files: [], losses: [] };
  };
  exportManifest({ manifest, root, format: { ...composeExport, write }, images: { '*': 'x:1' } });
  return names;
};

const service = (name: string, more = ''): string => `${name}: { exec: [x]${more} }\n`;

it('services of one file are exported in its order, with and without replicas', () => {
  const services = ['c', 'b', 'a'].map(
    (name) => `      ${service(name, name === 'b' ? ', replicas: 2' : '')}`,
  );
  const text = `version: "2"\nservices:\n  ${service('z')}projects:\n  shop:\n    services:\n${services.join('')}`;
  expect(exportedNames({ 'sup.yaml': text })).toEqual(['z', 'c', 'b', 'a']);
});

it('services of an included file are exported at the place of the include', () => {
  const files = {
    'sup.yaml': `version: "2"
projects:
  one: { services: !include one.yaml }
  two:
    services:
      ${service('d')}      ${service('c')}  three: !include three.yaml
`,
    'one.yaml': `${'#\n'.repeat(50)}${service('f')}${service('e', ', replicas: 2')}`,
    'three.yaml': `services:\n  ${service('b')}  ${service('a')}`,
  };
  expect(exportedNames(files)).toEqual(['f', 'e', 'd', 'c', 'b', 'a']);
});

it('services of further files are exported after those of the first file', () => {
  const head = 'version: "2"\nprojects:\n  shop:\n    services:\n';
  const files = {
    'sup.yaml': `${'#\n'.repeat(50)}${head}      ${service('b')}      ${service('c')}`,
    'over.yaml': `projects: { shop: { services: {\n  c: { umask: "077" },\n  ${service('a').trim()} } } }\n`,
  };
  expect(exportedNames(files, ['over.yaml'])).toEqual(['b', 'c', 'a']);
});
