import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadManifest } from '../../../src/manifest/load.ts';
import type { LoadResult } from '../../../src/streams/domain/declared/manifest.ts';
import { directoryWith, portsWith } from '../loading.ts';

/** Loads `a.yaml` with the others, each overriding those before it. */
const loadAll = (...texts: readonly string[]): LoadResult => {
  const named = texts.map((text, at) => [`${'abc'[at]}.yaml`, text] as const);
  const directory = realpathSync(directoryWith(Object.fromEntries(named)));
  const [path = '', ...files] = named.map(([name]) => join(directory, name));
  return loadManifest(path, portsWith({ readings: { [path]: { files } } }));
};
const webOf = (load: LoadResult): object | undefined =>
  load.manifest?.services.find(({ name }) => name === 'web');

const BASE = `version: "2"
services:
  web:
    exec: [node, web.js]
    stop_timeout: 5s
    env: { vars: { A: one, B: two } }
`;

describe('the files of a manifest', () => {
  it('maps merge by key, and lists and scalars replace', () => {
    const over = 'services: { web: { exec: [x], env: { vars: { B: new, C: three } } }, db: { command: y } }';
    const load = loadAll(BASE, over);
    expect(load.problems).toEqual([]);
    expect(webOf(load)).toMatchObject({
      launch: { argv: ['x'] },
      stopTimeout: 5000,
      env: { vars: { A: 'one', B: 'new', C: 'three' } },
    });
    expect(load.manifest?.services.map(({ name }) => name)).toEqual(['web', 'db']);
  });

  it('a third file overrides the second, and an empty one changes nothing', () => {
    const times = ['services: { web: { stop_timeout: 6s } }', 'services: { web: { stop_timeout: 7s } }'];
    expect(webOf(loadAll(BASE, ...times))).toMatchObject({ stopTimeout: 7000 });
    expect(webOf(loadAll(BASE, '# nothing'))).toMatchObject({ stopTimeout: 5000 });
  });

  it('!reset removes a key, so that another one can take its place', () => {
    const load = loadAll(
      BASE,
      'services: { web: { exec: !reset , command: x, env: { vars: { A: !reset  } } } }',
    );
    expect(load.problems).toEqual([]);
    expect(webOf(load)).toMatchObject({ launch: { command: 'x' }, env: { vars: { B: 'two' } } });
  });

  it.each([
    ['of a key that is not there', 'services: { web: { user: !reset  } }', 'services.web.user'],
    ['in a new map', 'services: { db: { command: x, env: !reset  } }', 'services.db.env'],
    ['in a list', 'services: { web: { exec: [!reset ] } }', 'services.web.exec'],
    ['below a list', 'services: { web: { depends_on: [{ service: !reset  }] } }', 'services.web.depends_on'],
    ['in place of the whole file', '!reset', ''],
    ['of the version', 'version: !reset', 'version'],
    ['with another version', 'version: 3', 'version'],
  ])('ERR0227 reports a later file %s, at its place there', (_, over, path) => {
    const { problems } = loadAll(BASE, over);
    expect(problems).toMatchObject([{ code: 'ERR0227', path, line: 1 }]);
    expect(problems[0]?.file).toMatch(/\/b\.yaml$/);
  });

  it('!reset in the first file is refused', () => {
    expect(loadAll('version: 2\nservices: { web: { command: !reset  } }').problems).toMatchObject([
      { code: 'ERR0227', message: '!reset removes a key of an earlier file, and this is the first one' },
    ]);
  });

  it('the same version may stand in each file, in any spelling', () => {
    expect(loadAll(BASE, 'version: 2').problems).toEqual([]);
  });

  it('a mistake is reported in the file that has it, and a missing file by its name', () => {
    const wrong = loadAll(BASE, 'services:\n  web:\n    stop_timeout: soon');
    expect(wrong.problems).toMatchObject([
      { code: 'ERR0210', line: 3, file: expect.stringMatching(/b\.yaml$/) as string },
    ]);
    const path = join(realpathSync(directoryWith({ 'a.yaml': BASE })), 'a.yaml');
    const missing = loadManifest(path, portsWith({ readings: { [path]: { files: ['/nowhere/b.yaml'] } } }));
    expect(missing.problems).toMatchObject([{ code: 'ERR0203', file: '/nowhere/b.yaml' }]);
  });

  it('paths are relative to the first file', () => {
    const directory = realpathSync(
      directoryWith({ 'a.yaml': BASE, 'sub/b.yaml': 'services: { web: { working_dir: app } }' }),
    );
    const path = join(directory, 'a.yaml');
    const readings = { [path]: { files: [join(directory, 'sub/b.yaml')] } };
    expect(webOf(loadManifest(path, portsWith({ readings })))).toMatchObject({
      workingDir: join(directory, 'app'),
    });
  });
});
