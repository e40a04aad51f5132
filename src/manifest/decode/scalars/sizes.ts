// Decodes byte sizes: a whole number, or a number with K, M, G or T (powers of 1024), then optionally B or iB
// (ERR0210; `docs/manifest.md`, "Rules that hold everywhere").
import { isNegative } from './number.ts';
import { orReference, read, type ScalarReading, scalar, type ScalarText } from './scalar.ts';
import type { Decoder } from '../shapes/decoder.ts';

const UNITS: Readonly<Record<string, number>> = { K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };

const PATTERN = '^(\\d+|\\d+(\\.\\d+)?[KMGTkmgt]([iI]?[Bb])?)$';

const FORM = /^(\d+(?:\.\d+)?)([KMGT])?(?:I?B)?$/;

/** Returns the size in bytes, `Infinity` if it is too large to be exact, `undefined` for other text. */
export const parseSize = (text: string): number | undefined => {
  if (!new RegExp(PATTERN).test(text)) return undefined;
  const [, digits, unit] = FORM.exec(text.toUpperCase()) ?? [];
  if (digits === undefined) return undefined;
  const bytes = Math.floor(Number(digits) * (unit === undefined ? 1 : (UNITS[unit] ?? Number.NaN)));
  return Number.isSafeInteger(bytes) ? bytes : Number.POSITIVE_INFINITY;
};

const SCHEMA = {
  anyOf: [
    { type: 'integer', minimum: 0 },
    { type: 'string', pattern: PATTERN },
  ],
};

const unreadable = (rule: string): ScalarReading<never> => ({ ok: false, code: 'ERR0210', rule });

const readSize = ({ text }: ScalarText, also = ''): ScalarReading<number> => {
  if (isNegative(text)) return unreadable('is less than zero');
  const bytes = parseSize(text);
  if (bytes === undefined) return unreadable(`is not a whole number, or a number with K, M, G or T${also}`);
  if (bytes === Number.POSITIVE_INFINITY)
    return unreadable(`is larger than ${Number.MAX_SAFE_INTEGER} bytes, the largest size`);
  return bytes === 0 && /[1-9]/.test(text) ? unreadable('is less than one byte') : read(bytes);
};

export const size: Decoder<number> = scalar({
  label: 'size',
  schema: orReference(SCHEMA),
  read: (given) => readSize(given),
});

/** Decodes a size greater than zero. */
export const positiveSize: Decoder<number> = scalar({
  label: 'size',
  schema: orReference({
    anyOf: [
      { type: 'integer', minimum: 1 },
      { type: 'string', pattern: `(?=.*[1-9])${PATTERN}` },
    ],
  }),
  read: (given) => {
    const reading = readSize(given);
    return reading.ok && reading.value === 0 ? unreadable('is not greater than zero') : reading;
  },
});

/** Returns a decoder for a size or the word for no limit: `max` or `unlimited`. */
export const sizeOr = <W extends string>(word: W): Decoder<number | W> =>
  scalar<number | W>({
    label: `size or \`${word}\``,
    schema: orReference({ anyOf: [...SCHEMA.anyOf, { const: word }] }),
    read: (given) => (given.text === word ? read(word) : readSize(given, `, or ${word}`)),
  });
