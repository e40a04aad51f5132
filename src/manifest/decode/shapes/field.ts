// One row of a table of the manifest: the key's decoder, whether it is required, its default, and a sentence
// for the documentation and the schema.
import type { Decoder } from './decoder.ts';

type Raw = string | number | boolean;

/** `required`: an error if missing. `optional`: may be missing. `defaulted`: has a default. */
type Presence = 'required' | 'optional' | 'defaulted';

export interface Field<T, P extends Presence = Presence> {
  readonly decoder: Decoder<T>;
  readonly presence: P;
  readonly doc: string;
  /** The default as a user would write it; `{}` means a table with its own defaults. */
  readonly fallback?: Raw | typeof NESTED;
  /** A default that is applied elsewhere, in words. */
  readonly otherwise?: string;
  /** Required, but a missing key is reported elsewhere. */
  readonly needed?: true;
}

/** The default of a table: all of its own defaults. */
export const NESTED = Symbol('a table with all its defaults');

export const required = <T>(decoder: Decoder<T>, doc: string): Field<T, 'required'> => ({
  decoder,
  doc,
  presence: 'required',
});

/** An optional field. `otherwise`: what applies without it, in words. */
export const optional = <T>(decoder: Decoder<T>, doc: string, otherwise = 'none'): Field<T, 'optional'> => ({
  decoder,
  doc,
  otherwise,
  presence: 'optional',
});

/** A field with a default. The same decoder reads the default and the user's value. */
export const defaulted = <T>(
  decoder: Decoder<T>,
  fallback: Raw | typeof NESTED,
  doc: string,
): Field<T, 'defaulted'> => ({ decoder, fallback, doc, presence: 'defaulted' });

/** True if the key is required. */
export const isNeeded = (field: Field<unknown>): boolean =>
  field.presence === 'required' || field.needed === true;
