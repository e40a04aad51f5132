import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { schemaCommand } from '../../../src/cli/commands/schema.ts';
import { catching } from './streams-of-text.ts';

it('sup schema prints a JSON Schema that compiles', () => {
  const out = catching();
  expect(schemaCommand(out)).toBe(0);
  expect(out.written.stderr).toBe('');
  const validate = new Ajv({ strict: false }).compile(JSON.parse(out.written.stdout) as object);
  expect([validate({ version: 2 }), validate({ version: 1 }), validate({ version: 2, x: 1 })]).toEqual([
    true,
    false,
    false,
  ]);
});
