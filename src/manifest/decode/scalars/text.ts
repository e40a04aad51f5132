// Decodes texts: strings, strings that may be written as a number, and choices of words.
import type { Decoder } from '../shapes/decoder.ts';
import { withArticle } from '../../check/problem-report.ts';
import { didYouMean } from '../../../streams/views/nearest.ts';
import { orReference, read, refused, scalar, type ScalarReading, type ScalarText } from './scalar.ts';

/** Refuses a NUL character, because Linux would silently drop the rest of the text. */
export const withoutNul = (text: string): ScalarReading<string> =>
  text.includes('\0') ? refused('contains a NUL character') : read(text);

const isText = ({ kind }: ScalarText): boolean => kind === 'text' || kind === 'expanded';

/** The error for a number or boolean where a string is expected. */
export const notText = refused('is not a string', 'put it in quotes');

/** Reads a scalar of any type as the text in the file. Refuses an empty text. */
export const readFilled = ({ text: given }: ScalarText): ScalarReading<string> =>
  given.trim() === '' ? refused('is empty') : withoutNul(given);

/** Reads a string. Refuses an empty string, a number and a boolean. */
export const readText = (given: ScalarText): ScalarReading<string> =>
  isText(given) ? readFilled(given) : notText;

/** Decodes a string that is not empty. */
export const text: Decoder<string> = scalar({
  label: 'string',
  schema: { type: 'string', minLength: 1 },
  read: readText,
});

const SCALAR_TYPES = ['string', 'number', 'boolean'];

/** Decodes a string that may look like a number or boolean: `010` stays `010`. */
export const filled: Decoder<string> = scalar({
  label: 'string',
  schema: { anyOf: [{ type: 'string', minLength: 1 }, { type: ['number', 'boolean'] }] },
  read: readFilled,
});

/** Decodes a string as it is: an entry of `exec`, or a variable (`merge-env-levels.ts` expands it). */
export const verbatim: Decoder<string> = scalar({
  label: 'string',
  schema: { type: SCALAR_TYPES },
  verbatim: true,
  read: (given) => withoutNul(given.text),
});

/** Returns a decoder for a string that matches the pattern. */
export const matching = (label: string, pattern: RegExp): Decoder<string> =>
  scalar({
    label,
    schema: orReference({ type: 'string', pattern: pattern.source }),
    read: (given) =>
      isText(given) && pattern.test(given.text)
        ? withoutNul(given.text)
        : refused(`is not ${withArticle(label)}`),
  });

/** Returns a decoder for one of these words. `hints`: advice for words of other tools. */
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

/** Returns a decoder for one of these words. */
export const oneOf = <W extends string>(...words: readonly W[]): Decoder<W> => choice(words, {});
