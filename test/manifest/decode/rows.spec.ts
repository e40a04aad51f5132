import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manifestSchema } from '../../../src/manifest/decode/top-level.ts';

const tests = ['test/manifest/decode', 'test/manifest/check']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((name) => name.endsWith('.spec.ts') && !name.endsWith('rows.spec.ts'))
  .map((name) => readFileSync(name, 'utf8'))
  .join('\n');

/** Every key that is declared anywhere in the schema. */
const keysOf = (schema: unknown): readonly string[] => {
  if (Array.isArray(schema)) return schema.flatMap(keysOf);
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, below]) =>
    key === 'properties'
      ? [...Object.keys(below as object), ...Object.values(below as object).flatMap(keysOf)]
      : keysOf(below),
  );
};

const unnamed = (keys: readonly string[], text: string): readonly string[] =>
  keys.filter((key) => !new RegExp(`\\b${key}\\b`).test(text));

describe('the tests of the tables', () => {
  const keys = [...new Set(keysOf(manifestSchema()))].sort();

  it('the table tests name every row', () => {
    expect(keys.length).toBeGreaterThan(90);
    expect(unnamed(keys, tests)).toEqual([]);
  });

  it('a table test that does not name its row is found', () => {
    expect(unnamed(['backoff', 'max_restarts'], 'a test of backoff')).toEqual(['max_restarts']);
  });
});
