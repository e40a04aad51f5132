// The JSON Schema of a table, from its fields (`sup schema`).
import type { Definitions, JsonSchema } from './decoder.ts';
import { isNeeded, type Field } from './field.ts';

interface Declared {
  readonly fields: Readonly<Record<string, Field<unknown>>>;
  readonly exclusive?: readonly (readonly [string, string])[];
  readonly anyOf?: readonly string[];
}

const property = (field: Field<unknown>, definitions: Definitions): JsonSchema => {
  const described = { description: field.doc };
  const fallback = typeof field.fallback === 'symbol' ? undefined : field.fallback;
  const schema = field.decoder.schema(definitions);
  // Draft 7 ignores all other keys beside a $ref.
  const body = '$ref' in schema ? { allOf: [schema] } : schema;
  return { ...body, ...described, ...(fallback === undefined ? {} : { default: fallback }) };
};

export const objectSchema = (table: Declared, definitions: Definitions): JsonSchema => {
  const rows = Object.entries(table.fields);
  const needed = rows.filter(([, field]) => isNeeded(field)).map(([key]) => key);
  const contradictions = (table.exclusive ?? []).map((pair) => ({ not: { required: pair } }));
  const choices = (table.anyOf ?? []).map((key) => ({ required: [key] }));
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(rows.map(([key, field]) => [key, property(field, definitions)])),
    ...(needed.length > 0 ? { required: needed } : {}),
    ...(contradictions.length > 0 ? { allOf: contradictions } : {}),
    ...(choices.length > 0 ? { anyOf: choices } : {}),
  };
};
