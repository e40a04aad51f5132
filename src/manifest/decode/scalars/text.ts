// Texts: plain ones, those that may be written as a number, and choices of a few words.
import type { Decoder } from '../shapes/decoder.ts';
import { withArticle } from '../../check/quote.ts';
import { didYouMean } from '../../../streams/views/nearest.ts';
import { orReference, read, refused, scalar, type Reading, type ScalarText } from './scalar.ts';

/** The kernel ends every text at a NUL: what stands behind it would be lost without a word. */
export const withoutNul = (text: string): Reading<string> =>
  text.includes('\0') ? refused('contains a NUL character') : read(text);

const isText = ({ kind }: ScalarText): boolean => kind === 'text' || kind === 'expanded';

/** Of a number or a flag where a text is asked for. */
export const notText = refused('is not a string', 'put it in quotes');

/** A text with something in it. */
export const text: Decoder<string> = scalar({
  label: 'string',
  schema: { type: 'string', minLength: 1 },
  read: (given) => {
    if (!isText(given)) return notText;
    return given.text.trim() === '' ? refused('is empty') : withoutNul(given.text);
  },
});

const SCALAR_TYPES = ['string', 'number', 'boolean'];

/** Taken as it is written, unless there is nothing in it. */
export const readFilled = ({ text: given }: ScalarText): Reading<string> =>
  given.trim() === '' ? refused('is empty') : withoutNul(given);

/** A text that may be written as a number or a flag, and is taken as written: a name, a slot. */
export const filled: Decoder<string> = scalar({
  label: 'string',
  schema: { anyOf: [{ type: 'string', minLength: 1 }, { type: ['number', 'boolean'] }] },
  read: readFilled,
});

/** An entry of `exec`: never expanded. */
export const verbatim: Decoder<string> = scalar({
  label: 'string',
  schema: { type: SCALAR_TYPES },
  verbatim: true,
  read: (given) => withoutNul(given.text),
});

/** A text of a given form. */
export const matching = (label: string, pattern: RegExp): Decoder<string> =>
  scalar({
    label,
    schema: orReference({ type: 'string', pattern: pattern.source }),
    read: (given) =>
      isText(given) && pattern.test(given.text)
        ? withoutNul(given.text)
        : refused(`is not ${withArticle(label)}`),
  });

/** One of a few words. `hints` are for words that people bring along. */
export const choice = <const W extends string>(
  words: readonly W[],
  hints: Readonly<Record<string, string>>,
): Decoder<W> => {
  const known = new Map(Object.entries(hints));
  return scalar({
    label: words.map((word) => `\`${word}\``).join(', '),
    schema: orReference({ enum: words }),
    read: (given) => {
      const found = words.find((word) => word === given.text);
      return found !== undefined && isText(given)
        ? read(found)
        : refused(
            `is not one of ${words.join(', ')}`,
            known.get(given.text) ?? didYouMean(given.text, words),
          );
    },
  });
};

/** One of a few words. */
export const oneOf = <W extends string>(...words: readonly W[]): Decoder<W> => choice(words, {});
