// Defines one row of a manifest object: the key's decoder, whether the key is required, its default, and a
// sentence for the documentation and the schema. From the rows it also builds the JSON Schema of the object
// (`sup schema`).
import type { Decoder, Definitions, JsonSchema } from './decoder.ts';

type Raw = string | number | boolean;

/** `required`: an error if missing. `optional`: may be missing. `defaulted`: has a default. */
type Presence = 'required' | 'optional' | 'defaulted';

export interface Field<T, P extends Presence = Presence> {
  readonly decoder: Decoder<T>;
  readonly presence: P;
  readonly doc: string;
  /** The default as a user would write it. `NESTED`: an object with its own defaults. */
  readonly fallback?: Raw | typeof NESTED;
  /** A default that is applied elsewhere, in words. */
  readonly otherwise?: string;
  /** Set for a required key if its absence is reported elsewhere. */
  readonly needed?: true;
}

/** The default of an object: all defaults of its own keys. */
export const NESTED = Symbol('a table with all its defaults');

export const required = <T>(decoder: Decoder<T>, doc: string): Field<T, 'required'> => ({
  decoder,
  doc,
  presence: 'required',
});

/** Returns an optional field. `otherwise` says in words what applies without it. */
export const optional = <T>(decoder: Decoder<T>, doc: string, otherwise = 'none'): Field<T, 'optional'> => ({
  decoder,
  doc,
  otherwise,
  presence: 'optional',
});

/** Returns a field with a default. The same decoder reads the default and the user's value. */
export const defaulted = <T>(
  decoder: Decoder<T>,
  fallback: Raw | typeof NESTED,
  doc: string,
): Field<T, 'defaulted'> => ({ decoder, fallback, doc, presence: 'defaulted' });

/** True if the key is required. */
export const isNeeded = (field: Field<unknown>): boolean =>
  field.presence === 'required' || field.needed === true;

interface Declared {
  readonly fields: Readonly<Record<string, Field<unknown>>>;
  readonly exclusive?: readonly (readonly [string, string])[];
  readonly anyOf?: readonly string[];
}

const property = (field: Field<unknown>, definitions: Definitions): JsonSchema => {
  const described = { description: field.doc };
  const fallback = typeof field.fallback === 'symbol' ? undefined : field.fallback;
  const schema = field.decoder.schema(definitions);
  // Draft 7 ignores all keys next to a `$ref`.
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
