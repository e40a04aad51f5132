// Byte sizes: a whole number, or a number with K, M, G or T (binary), optionally followed by B or iB
// (ERR0210; `docs/manifest.md`, "Rules that hold everywhere").
import type { Decoder } from '../shapes/decoder.ts';
import { isNegative } from './number.ts';
import { orReference, read, scalar, type ScalarText, type Reading } from './scalar.ts';
import { PATTERN, parseSize } from './size-text.ts';

const SCHEMA = {
  anyOf: [
    { type: 'integer', minimum: 0 },
    { type: 'string', pattern: PATTERN },
  ],
};

const unreadable = (rule: string): Reading<never> => ({ ok: false, code: 'ERR0210', rule });

const readSize = ({ text }: ScalarText, also = ''): Reading<number> => {
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

/** A size, or a word for no limit: `max`, `unlimited`. */
export const sizeOr = <W extends string>(word: W): Decoder<number | W> =>
  scalar<number | W>({
    label: `size or \`${word}\``,
    schema: orReference({ anyOf: [...SCHEMA.anyOf, { const: word }] }),
    read: (given) => (given.text === word ? read(word) : readSize(given, `, or ${word}`)),
  });
