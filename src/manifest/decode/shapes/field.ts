// One row of a table of the manifest: the key's decoder, whether it must be there, its default, and a sentence
// for the documentation and the schema.
import type { Decoder } from './decoder.ts';

type Raw = string | number | boolean;

/** `required`: refused without it. `optional`: may be missing. `defaulted`: has a value when missing. */
type Presence = 'required' | 'optional' | 'defaulted';

export interface Field<T, P extends Presence = Presence> {
  readonly decoder: Decoder<T>;
  readonly presence: P;
  readonly doc: string;
  /** As one would write it; `{}` stands for a table with its own defaults. */
  readonly fallback?: Raw | typeof NESTED;
  /** A default that is applied elsewhere, in words. */
  readonly otherwise?: string;
  /** Must be there, but its absence is told elsewhere. */
  readonly needed?: true;
}

/** The default of a table: all of its own defaults. */
export const NESTED = Symbol('a table with all its defaults');

export const required = <T>(decoder: Decoder<T>, doc: string): Field<T, 'required'> => ({
  decoder,
  doc,
  presence: 'required',
});

/** `otherwise` says in words what holds without it. */
export const optional = <T>(decoder: Decoder<T>, doc: string, otherwise = 'none'): Field<T, 'optional'> => ({
  decoder,
  doc,
  otherwise,
  presence: 'optional',
});

/** The fallback is read by the same decoder as what a user writes. */
export const defaulted = <T>(
  decoder: Decoder<T>,
  fallback: Raw | typeof NESTED,
  doc: string,
): Field<T, 'defaulted'> => ({ decoder, fallback, doc, presence: 'defaulted' });

/** The key may not be left out. */
export const isNeeded = (field: Field<unknown>): boolean =>
  field.presence === 'required' || field.needed === true;
