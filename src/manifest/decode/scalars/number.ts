import type { Decoder } from '../shapes/decoder.ts';
import { orReference, read, refused, scalar, type ScalarText } from './scalar.ts';

interface Range {
  readonly min?: number;
  readonly max?: number;
}

const rangeText = ({ min, max }: Range): string => {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  return min === undefined ? '' : `, ${min} or more`;
};

/** Returns the number in a text; NaN if the text is not a number, also for `''`. */
export const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

/** Returns the number in a scalar; NaN for quoted text, a boolean and text that is no number. */
const numberIn = ({ kind, text }: ScalarText): number =>
  kind === 'number' || kind === 'expanded' ? numberOf(text) : Number.NaN;

/** True for a number below zero, with or without a unit. */
export const isNegative = (text: string): boolean => /^-\d/.test(text);

/** Returns why a whole number is too large to be exact, if it is. */
export const tooLarge = (value: number): string | undefined =>
  Number.isInteger(value) && value > Number.MAX_SAFE_INTEGER
    ? `is larger than ${Number.MAX_SAFE_INTEGER}, the largest number`
    : undefined;

export const whole = (range: Range = {}): Decoder<number> => {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = range;
  const rule = `is not a whole number${rangeText(range)}`;
  const schema = { type: 'integer', ...(range.min === undefined ? {} : { minimum: min }) };
  return scalar({
    label: 'number',
    schema: orReference(range.max === undefined ? schema : { ...schema, maximum: max }),
    read: (given) => {
      const value = numberIn(given);
      if (Number.isSafeInteger(value) && value >= min && value <= max) return read(value);
      return refused((range.max === undefined ? tooLarge(value) : undefined) ?? rule);
    },
  });
};

/** Returns a decoder for a number in a range, with or without decimals. */
export const decimal = (min: number, max: number): Decoder<number> =>
  scalar({
    label: 'number',
    schema: orReference({ type: 'number', minimum: min, maximum: max }),
    read: (given) => {
      const value = numberIn(given);
      return value >= min && value <= max ? read(value) : refused(`is not a number from ${min} to ${max}`);
    },
  });

/** Words that YAML 1.1 reads as booleans. */
const OLD_WORDS: Readonly<Record<string, boolean>> = { yes: true, on: true, no: false, off: false };

/** Returns the advice `write true` (or `false`) for a word that YAML 1.1 reads as a boolean. */
export const oldWordHint = (text: string): string | undefined => {
  const word = text.toLowerCase();
  return Object.hasOwn(OLD_WORDS, word) ? `write ${String(OLD_WORDS[word])}` : undefined;
};

/** Returns a decoder for any number. A number outside the range becomes the nearest limit. */
export const clamped = (min: number, max: number): Decoder<number> =>
  scalar({
    label: 'number',
    schema: orReference({ type: 'number' }),
    read: (given) => {
      const value = numberIn(given);
      return Number.isNaN(value) ? refused('is not a number') : read(Math.min(max, Math.max(min, value)));
    },
  });

export const flag: Decoder<boolean> = scalar({
  label: 'bool',
  schema: orReference({ type: 'boolean' }),
  read: ({ kind, text }) => {
    const word = text.toLowerCase();
    const known = (kind === 'flag' || kind === 'expanded') && (word === 'true' || word === 'false');
    return known ? read(word === 'true') : refused('is neither true nor false', oldWordHint(text));
  },
});
