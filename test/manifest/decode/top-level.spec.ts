import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { manifestSchema } from '../../../src/manifest/decode/top-level.ts';
import { loadManifest } from '../../../src/manifest/load.ts';
import { loadFiles, loadText, portsWith, toldOf } from '../loading.ts';
import { satisfies, whyNot } from '../satisfying.ts';

const idsOf = (text: string): readonly string[] | undefined =>
  loadText(text).manifest?.services.map(({ id }) => id);

describe('the key version', () => {
  it.each([
    ['2', 2],
    ['"2"', 2],
    ["'3'", 3],
    ['3', 3],
    ['2.0', 2],
    ['"2.0"', 2],
    ['"3.0"', 3],
  ])('version %s is schema %i', (version, schema) => {
    const { manifest } = loadText(`version: ${version}\nservices: { a: { command: x } }`);
    expect([manifest?.schema, manifest?.services[0]?.schema]).toEqual([schema, schema]);
  });

  it.each(['1', '"1"', '4', '"2.1"', 'two', 'true', '[2]'])(
    'version %s is refused alone, naming supported versions and migrate (ERR0212)',
    (version) => {
      const { problems } = loadText(`version: ${version}\nbogus: 1\nservices: { a: { nothing: 1 } }`);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatchObject({ code: 'ERR0212', path: 'version', line: 1, column: 10 });
      expect(problems[0]?.message).toMatch(/supported are 2 and 3$/);
      expect(problems[0]?.hint).toMatch(/sup migrate/);
    },
  );

  it.each([
    ['version: *v', 'an alias'],
    ['version: !include v.yaml', '!include v.yaml'],
    ['version: "${V}"', '"${V}"'],
  ])('version is literal in the manifest: %s is refused', (line, shown) => {
    const text = `x: &v 2\n${line}\nservices: { a: { command: x } }\n`;
    const { problems } = loadFiles({ 'sup.yaml': text, 'v.yaml': '2\n' }, { environment: { V: '2' } });
    expect(toldOf(problems)).toEqual([
      `ERR0212 version: ${shown} is not a supported version; supported are 2 and 3`,
    ]);
  });

  it('version cannot come from a merge key', () => {
    const { problems } = loadText('<<: { version: 2 }\nservices: { a: { command: x } }\n');
    expect(toldOf(problems)[0]).toMatch(/^ERR0213 version: missing key "version"/);
  });

  it('version is required, and the rest is still checked', () => {
    expect(toldOf(loadText('services: { a: { nothing: 1, command: x } }').problems)).toEqual([
      'ERR0213 version: missing key "version" (it must be in this file, not in an include)',
      'ERR0211 services.a.nothing: "nothing" is not a key of service',
    ]);
  });
});

describe('the top level', () => {
  it('the top level has any number of projects and the loose bundle', () => {
    const { manifest } = loadText(`version: 2
projects:
  shop: { name: The Shop, services: { web: { command: x } } }
  blog: { services: { web: { command: x } } }
services: { web: { command: x } }
`);
    expect(manifest?.projects.map(({ id, name }) => [id, name])).toEqual([
      ['shop', 'The Shop'],
      ['blog', 'blog'],
    ]);
    expect(manifest?.services.map(({ id }) => id)).toEqual(['shop/web', 'blog/web', '__loose__/web']);
  });

  it('the top level may have only a version', () => {
    expect(loadText('version: 2').manifest).toMatchObject({ projects: [], services: [] });
  });

  it.each([
    ['', 'ERR0213 : the manifest is empty'],
    ['# nothing\n', 'ERR0213 : the manifest is empty'],
    ['[1]', 'ERR0213 version: missing key "version" (it must be in this file, not in an include)'],
  ])('the top level is a map: %j is refused', (text, told) => {
    expect(toldOf(loadText(text).problems)[0]).toBe(told);
  });
});

describe('the deprecated singular project', () => {
  it('the singular project has an id that is never expanded', () => {
    for (const form of ['"${P}"', '{ id: "${P}" }'])
      expect(
        loadText(`version: 2\nproject: ${form}`, { environment: { P: 'shop' } }).problems,
      ).toContainEqual(expect.objectContaining({ code: 'ERR0213', severity: 'error' }));
  });

  it.each([
    ['project: shop', 'shop'],
    ['project: { id: shop, name: The Shop }', 'The Shop'],
    ['project: { id: shop }', 'shop'],
  ])('the singular project %s owns the top-level services and warns', (line, name) => {
    const text = `version: 2\n${line}\nservices: { web: { command: x } }`;
    const { manifest, problems } = loadText(text);
    expect(manifest?.projects).toMatchObject([{ id: 'shop', name }]);
    expect(idsOf(text)).toEqual(['shop/web']);
    expect(problems).toMatchObject([
      {
        code: 'ERR0212',
        severity: 'warning',
        path: 'project',
        hint: 'to convert it into projects: sup migrate',
      },
    ]);
  });

  it.each([
    ['project: shop\nprojects: {}', 'ERR0222 project: projects and project exclude each other'],
    ['project: {}', 'ERR0213 project.id: the key "id" is missing'],
    ['project: { id: a, more: 1 }', 'ERR0211 project.more: "more" is not a key of singular_project'],
    ['project: __loose__', 'ERR0213 project: "__loose__" is reserved'],
    ['project: [a]', 'ERR0213 project: a list is not a project id'],
    ['project: true', 'ERR0213 project: true is not a string'],
    ['project: 8080', 'ERR0213 project: 8080 is not a string'],
    ['project: { id: 1 }', 'ERR0213 project.id: 1 is not a string'],
    ['project: { id: a, name: 1 }', 'ERR0213 project.name: 1 is not a string'],
  ])('the singular project %j is refused, as by the schema', (line, told) => {
    const text = `version: 2\n${line}`;
    const { problems } = loadText(text);
    expect(toldOf(problems.filter(({ severity }) => severity === 'error'))).toEqual([told]);
    expect(satisfies(text)).toBe(false);
  });

  it.each(['project: "8080"', 'project: { id: "true" }'])(
    'the singular project %s is an id in quotes',
    (line) => {
      const text = `version: 2\n${line}`;
      expect(loadText(text).problems).toMatchObject([{ code: 'ERR0212', severity: 'warning' }]);
      expect(satisfies(text)).toBe(true);
    },
  );
});

describe('ids and names', () => {
  it.each(['a', 'A_b-c.d', '_x', '9', 'a'.repeat(64), '__proto__', 'constructor'])(
    '%s is a valid id',
    (name) => {
      const text = `version: 2\nprojects: { "${name}": { services: { "${name}": { command: x } } } }`;
      expect(idsOf(text)).toEqual([`${name}/${name}`]);
    },
  );

  it.each(['', '-a', '.a', 'a b', 'a/b', '../x', 'ä', 'a'.repeat(65)])(
    '"%s" is not a valid id (ERR0213)',
    (name) => {
      const { problems } = loadText(
        `version: 2\nprojects: { "${name}": { services: {} } }\nservices: { "${name}": { command: x } }`,
      );
      expect(problems.map(({ code, message }) => [code, message.split(':')[0]])).toEqual([
        ['ERR0213', `"${name.slice(0, 60)}${name.length > 60 ? '…' : ''}" is not a project id`],
        ['ERR0213', `"${name.slice(0, 60)}${name.length > 60 ? '…' : ''}" is not a service name`],
      ]);
    },
  );

  it('the id of the loose bundle is reserved', () => {
    expect(toldOf(loadText('version: 2\nprojects: { __loose__: { services: {} } }').problems)).toEqual([
      'ERR0213 projects.__loose__: "__loose__" is reserved',
    ]);
  });
});

describe('a project', () => {
  it('a project requires its own services', () => {
    expect(toldOf(loadText('version: 2\nprojects: { a: { name: A } }').problems)).toEqual([
      'ERR0213 projects.a.services: the key "services" is missing',
    ]);
  });

  it('a project has a name of free text', () => {
    const { manifest } = loadText('version: 2\nprojects: { a: { name: "Ünï / code", services: {} } }');
    expect(manifest?.projects[0]?.name).toBe('Ünï / code');
  });
});

const corpus = new URL('../../corpus/', import.meta.url);
const textsIn = (kind: 'good' | 'bad'): readonly (readonly [string, string])[] =>
  readdirSync(new URL(kind, corpus))
    .sort()
    .map((name) => [name, readFileSync(new URL(`${kind}/${name}`, corpus), 'utf8')] as const);

/** What a schema can see; the rest needs the whole manifest, its variables, or the machine. */
const SHAPE = ['ERR0210', 'ERR0211', 'ERR0212', 'ERR0213', 'ERR0222'];

describe('a good manifest of the corpus', () => {
  it.each(textsIn('good'))('the good manifest %s loads and satisfies the schema', (_, text) => {
    const { problems } = loadText(text);
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(satisfies(text), whyNot()).toBe(true);
  });
});

describe('a bad manifest of the corpus', () => {
  it.each(textsIn('bad'))(
    'the bad manifest %s is refused for the reasons it names, as by the schema',
    (_, text) => {
      const expected = [...text.matchAll(/^# (ERR\d{4}) (.*)$/gm)].map(
        ([, code, path]) => `${code ?? ''} ${path ?? ''}`,
      );
      const errors = loadText(text).problems.filter(({ severity }) => severity === 'error');
      expect(errors.map(({ code, path }) => `${code} ${path}`)).toEqual(expected);
      expect(satisfies(text)).toBe(!errors.some(({ code }) => SHAPE.includes(code)));
    },
  );
});

const examples = new URL('../../../examples/', import.meta.url);
const exampleManifests = readdirSync(examples)
  .map((name) => fileURLToPath(new URL(`${name}/sup.yaml`, examples)))
  .filter((path) => existsSync(path));

describe('a manifest of the examples', () => {
  it('there are example manifests', () => {
    expect(exampleManifests).not.toEqual([]);
  });

  it.each(exampleManifests)(
    'the example %s loads without a warning, satisfies the schema and names it',
    (path) => {
      const text = readFileSync(path, 'utf8');
      expect(loadManifest(path, portsWith()).problems).toEqual([]);
      expect(satisfies(text), whyNot()).toBe(true);
      expect(text).toMatch(/^# yaml-language-server: \$schema=/);
    },
  );
});

describe('the schema', () => {
  it('the schema is draft 7 and describes each key', () => {
    const { $schema, definitions } = manifestSchema();
    expect($schema).toBe('http://json-schema.org/draft-07/schema#');
    const tables = Object.values(definitions as Record<string, { properties: Record<string, object> }>);
    for (const { properties } of tables)
      for (const property of Object.values(properties)) expect(property).toHaveProperty('description');
  });

  it('the schema has the defaults as a manifest writes them', () => {
    const { definitions } = manifestSchema();
    expect(definitions).toMatchObject({
      health_check: { properties: { interval: { default: '2s' }, retries: { default: 3 } } },
      service: { properties: { restart_policy: { default: 'on-failure' } } },
    });
  });
});
