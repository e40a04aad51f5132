import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { manifestSchema } from '../../src/manifest/decode/top-level.ts';
import { loadText } from '../manifest/loading.ts';
import { notCarriedOutLines } from './not-carried-out.ts';
import { TABLES, tableLines } from './tables.ts';

const text = readFileSync(new URL('../../docs/manifest.md', import.meta.url), 'utf8');
const examples = [...text.matchAll(/```yaml\n(# yaml-language-server[^]*?)```/g)].map(
  ([, example = '']) => example,
);

describe('docs/manifest.md', () => {
  it('knows every table that the decoder declares', () => {
    const { definitions } = manifestSchema();
    expect(TABLES.map(({ name }) => name).sort()).toEqual(Object.keys(definitions as object).sort());
  });

  it.each(TABLES.map((table) => [table.name, table] as const))(
    'shows every key of %s with type, default and meaning, and no other',
    (_, table) => {
      expect(text).toContain(`\n\n${tableLines(table).join('\n')}\n\n`);
    },
  );

  it('lists exactly what is not carried out', () => {
    expect(text).toContain(`\n\n${notCarriedOutLines().join('\n')}\n\n`);
  });

  it('shows each table once', () => {
    expect(text.split('| Key | Type | Default | Meaning |')).toHaveLength(TABLES.length + 1);
  });

  it.each(TABLES.flatMap(({ name, fields }) => Object.keys(fields).map((key) => [name, key] as const)))(
    'mentions %s.%s, and the schema describes it',
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

  it('are many', () => {
    expect(examples.length).toBeGreaterThan(15);
  });

  it.each(examples)('load and satisfy the schema: %s', (example) => {
    const unexpected = loadText(example).problems.filter(({ code }) => !EXPECTED_WARNINGS.includes(code));
    expect(unexpected).toEqual([]);
    expect(validate(parse(example)), JSON.stringify(validate.errors)).toBe(true);
  });
});
