// docs/schemas against the types of the documents. `UPDATE_DOCS=1` writes them again.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { describe, expect, it } from 'vitest';
import { documentSchemas } from '../../scripts/document-schemas.ts';

const PLACE = 'docs/schemas';

describe('the schemas of documents', () => {
  it('the schemas are made of the types', { timeout: 60_000 }, async () => {
    const schemas = [...documentSchemas()];
    expect(schemas.length).toBeGreaterThan(20);
    for (const [name, schema] of schemas) {
      const text = await format(JSON.stringify(schema), { parser: 'json', printWidth: 110 });
      if (process.env['UPDATE_DOCS'] === '1') writeFileSync(`${PLACE}/${name}`, text);
      expect(readFileSync(`${PLACE}/${name}`, 'utf8')).toBe(text);
    }
    expect(readdirSync(PLACE).toSorted()).toEqual(schemas.map(([name]) => name).toSorted());
  });
});
