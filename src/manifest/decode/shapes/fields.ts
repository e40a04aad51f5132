// A key of a manifest object: decoder, presence, default, and a sentence for the documentation. Also builds
// the JSON Schema of the object.
import type { Decoder, Definitions, JsonSchema } from './decoder.ts';

type Raw = string | number | boolean;

/** Whether a key must be set: `optional` may be missing, `defaulted` has a default. */
type Presence = 'required' | 'optional' | 'defaulted';

export interface Field<T, P extends Presence = Presence> {
  readonly decoder: Decoder<T>;
  readonly presence: P;
  readonly doc: string;
  /** The default as a user would write it. `NESTED`: an object in which each key has its own default. */
  readonly fallback?: Raw | typeof NESTED;
  /** The default in words, if code outside the decoder applies it. */
  readonly otherwise?: string;
  /** Present if the key is required, but code outside the decoder reports that the key is missing. */
  readonly needed?: true;
}

/** The marker for a default that is an object in which all keys have their own defaults. */
export const NESTED = Symbol('a table with all its defaults');

export const required = <T>(decoder: Decoder<T>, doc: string): Field<T, 'required'> => ({
  decoder,
  doc,
  presence: 'required',
});

/** Returns a field that may be missing. `otherwise`: in words, the value that applies if it is missing. */
export const optional = <T>(decoder: Decoder<T>, doc: string, otherwise = 'none'): Field<T, 'optional'> => ({
  decoder,
  doc,
  otherwise,
  presence: 'optional',
});

/** Returns a field with a default that the same decoder reads. */
export const defaulted = <T>(
  decoder: Decoder<T>,
  fallback: Raw | typeof NESTED,
  doc: string,
): Field<T, 'defaulted'> => ({ decoder, fallback, doc, presence: 'defaulted' });

/** True if the key must be set. */
export const isNeeded = (field: Field<unknown>): boolean =>
  field.presence === 'required' || field.needed === true;

/**
 * Returns a field that may be missing. Code outside the decoder applies `fallback`, so this code can see that
 * the field is missing.
 */
export const presumed = <T>(decoder: Decoder<T>, fallback: Raw, doc: string): Field<T, 'optional'> => ({
  decoder,
  fallback,
  doc,
  presence: 'optional',
});

interface Declared {
  readonly fields: Readonly<Record<string, Field<unknown>>>;
  readonly exclusive?: readonly (readonly [string, string])[];
  readonly anyOf?: readonly string[];
}

const property = (field: Field<unknown>, definitions: Definitions): JsonSchema => {
  const described = { description: field.doc };
  const fallback = typeof field.fallback === 'symbol' ? undefined : field.fallback;
  const schema = field.decoder.schema(definitions);
  // Draft 7 of JSON Schema ignores all keys next to a `$ref`.
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
