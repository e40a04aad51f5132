import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { manifestSchema } from '../../src/manifest/decode/top-level.ts';
import { loadText } from '../manifest/loading.ts';
import { compareBlock } from '../support/docs/block.ts';
import { HOMES } from '../support/docs/key-examples.ts';
import { notCarriedOutLines } from './not-carried-out.ts';
import { isNeverApplied, keysTable, problemsWith, TABLES } from './tables.ts';

const FILE = 'docs/manifest.md';
const text = readFileSync(FILE, 'utf8');

const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

const examples = [...text.matchAll(/```yaml\n(# yaml-language-server[^]*?)```/g)].map(
  ([, example = '']) => example,
);

describe('docs/manifest.md', () => {
  it('docs/manifest.md has every table that the decoder declares', () => {
    const { definitions } = manifestSchema();
    expect(TABLES.map(({ name }) => name).sort()).toEqual(Object.keys(definitions as object).sort());
  });

  it.each(TABLES.map((table) => [table.name, table] as const))(
    'docs/manifest.md has exactly the keys of %s with type, default, versions, meaning and example',
    async (name, table) => {
      const block = { file: FILE, name: `keys-${name}`, asIs: true } as const;
      const { written, generated } = await compareBlock(block, keysTable(table));
      expect(written).toBe(generated);
    },
  );

  it('docs/manifest.md lists exactly the keys that are not applied', () => {
    expect(text).toContain(`\n\n${notCarriedOutLines().join('\n')}\n\n`);
  });

  it('docs/manifest.md begins with a list of its sections', () => {
    const listed = [...text.matchAll(/^ *- \[[^\]]+\]\(#([^)]+)\)$/gm)].map(([, anchor]) => anchor);
    const [, ...titles] = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title);
    const sections = titles.filter((title) => !title.startsWith('yaml-language-server')).map(anchorOf);
    expect(listed).toEqual(sections);
  });

  it.each(TABLES.flatMap(({ name, fields }) => Object.keys(fields).map((key) => [name, key] as const)))(
    'docs/manifest.md has %s.%s, and the schema describes it',
    (name, key) => {
      const definitions = manifestSchema()['definitions'] as Record<
        string,
        { properties: Record<string, object> }
      >;
      expect(definitions[name]?.properties[key]).toHaveProperty('description');
    },
  );
});

/** Without effect in user mode, deprecated, or not carried out yet: shown all the same. */
const EXPECTED_WARNINGS = ['ERR0705', 'ERR0212', 'ERR0223'];

describe('the examples of docs/manifest.md', () => {
  const validate = new Ajv({ strict: false }).compile(manifestSchema());

  it('docs/manifest.md has many examples', () => {
    expect(examples.length).toBeGreaterThan(15);
  });

  it.each(examples)('the examples of docs/manifest.md load and satisfy the schema: %s', (example) => {
    const unexpected = loadText(example).problems.filter(({ code }) => !EXPECTED_WARNINGS.includes(code));
    expect(unexpected).toEqual([]);
    expect(validate(parse(example)), JSON.stringify(validate.errors)).toBe(true);
  });
});

const KEYS = TABLES.flatMap(({ name, fields }) => Object.keys(fields).map((key) => [name, key] as const));

/** Said of keys that need a privileged supervisor, and of the singular project. */
const SAID = ['ERR0705', 'ERR0212'];

describe('the examples of the keys', () => {
  it('there is exactly one example per key', () => {
    const shown = Object.entries(HOMES).flatMap(([table, { examples }]) =>
      Object.keys(examples).map((key) => [table, key]),
    );
    expect(shown.toSorted()).toEqual(KEYS.map((key) => [...key]).toSorted());
  });

  it.each(KEYS)('the examples of keys load and have an effect: %s, %s', (table, key) => {
    const expected = isNeverApplied(table, key) ? [...SAID, 'ERR0721'] : SAID;
    const unexpected = problemsWith(table, key, 2).filter(({ code }) => !expected.includes(code));
    expect(unexpected).toEqual([]);
  });

  it.each(KEYS)(
    'the examples of keys load under version 3, or are refused as unenforceable: %s, %s',
    (table, key) => {
      const errors = problemsWith(table, key, 3).filter(({ severity }) => severity === 'error');
      expect(errors.filter(({ code }) => code !== 'ERR0721')).toEqual([]);
    },
  );
});
