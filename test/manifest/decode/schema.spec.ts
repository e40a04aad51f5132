import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadManifest } from '../../../src/manifest/load.ts';
import { manifestSchema } from '../../../src/manifest/decode/top-level.ts';
import { loadText, portsWith } from '../loading.ts';
import { satisfies, whyNot } from '../satisfying.ts';

const corpus = new URL('../../corpus/', import.meta.url);
const textsIn = (kind: 'good' | 'bad'): readonly (readonly [string, string])[] =>
  readdirSync(new URL(kind, corpus))
    .sort()
    .map((name) => [name, readFileSync(new URL(`${kind}/${name}`, corpus), 'utf8')] as const);

/** What a schema can see; the rest needs the whole manifest, its variables, or the machine. */
const SHAPE = ['ERR0210', 'ERR0211', 'ERR0212', 'ERR0213', 'ERR0222'];

describe('a good manifest of the corpus', () => {
  it.each(textsIn('good'))('%s loads and satisfies the schema', (_, text) => {
    const { problems } = loadText(text);
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(satisfies(text), whyNot()).toBe(true);
  });
});

describe('a bad manifest of the corpus', () => {
  it.each(textsIn('bad'))('%s is refused for the reasons it names, and the schema agrees', (_, text) => {
    const expected = [...text.matchAll(/^# (ERR\d{4}) (.*)$/gm)].map(
      ([, code, path]) => `${code ?? ''} ${path ?? ''}`,
    );
    const errors = loadText(text).problems.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ code, path }) => `${code} ${path}`)).toEqual(expected);
    expect(satisfies(text)).toBe(!errors.some(({ code }) => SHAPE.includes(code)));
  });
});

const examples = new URL('../../../examples/', import.meta.url);
const exampleManifests = readdirSync(examples)
  .map((name) => fileURLToPath(new URL(`${name}/sup.yaml`, examples)))
  .filter((path) => existsSync(path));

describe('a manifest of the examples', () => {
  it('is there', () => {
    expect(exampleManifests).not.toEqual([]);
  });

  it.each(exampleManifests)('%s loads without a warning, satisfies the schema and names it', (path) => {
    const text = readFileSync(path, 'utf8');
    expect(loadManifest(path, portsWith()).problems).toEqual([]);
    expect(satisfies(text), whyNot()).toBe(true);
    expect(text).toMatch(/^# yaml-language-server: \$schema=/);
  });
});

describe('the schema', () => {
  it('is draft 7 and describes every key', () => {
    const { $schema, definitions } = manifestSchema();
    expect($schema).toBe('http://json-schema.org/draft-07/schema#');
    const tables = Object.values(definitions as Record<string, { properties: Record<string, object> }>);
    for (const { properties } of tables)
      for (const property of Object.values(properties)) expect(property).toHaveProperty('description');
  });

  it('carries the defaults as one would write them', () => {
    const { definitions } = manifestSchema();
    expect(definitions).toMatchObject({
      health_check: { properties: { interval: { default: '2s' }, retries: { default: 3 } } },
      service: { properties: { restart_policy: { default: 'on-failure' } } },
    });
  });
});
