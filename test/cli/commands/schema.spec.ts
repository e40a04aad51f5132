import { Ajv } from 'ajv';
import { expect, it } from 'vitest';
import { schema } from '../../../src/cli/commands/schema.ts';
import { contextOf } from '../../../src/cli/context.ts';
import { fakeWorld } from '../support/fake-world.ts';

it('sup schema prints a JSON Schema that compiles', async () => {
  const { world, out, err } = fakeWorld();
  const parsed = { command: 'schema', flags: new Set<never>(), values: {}, operands: [], tail: [] } as const;
  expect(await schema(parsed, contextOf(new Set(), world))).toBe(0);
  expect(err()).toBe('');
  const validate = new Ajv({ strict: false }).compile(JSON.parse(out()) as object);
  expect([validate({ version: 2 }), validate({ version: 1 }), validate({ version: 2, x: 1 })]).toEqual([
    true,
    false,
    false,
  ]);
});
