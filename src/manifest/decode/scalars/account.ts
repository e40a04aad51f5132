// A user or a group of the machine, by name or number; a number may be quoted.
import { HIGHEST_ID } from '../../../streams/domain/account.ts';
import type { Decoder } from '../shapes/decoder.ts';
import { numberOf } from './number.ts';
import { refused, scalar, type ScalarText } from './scalar.ts';
import { readFilled } from './text.ts';

const DIGITS = /^\d+$/;

/** True for a number that no account can have. The kernel would read it as another id, or as "unchanged". */
const isOutOfRange = ({ kind, text }: ScalarText): boolean => {
  if (kind !== 'number' && !DIGITS.test(text)) return false;
  const id = numberOf(text);
  return !Number.isInteger(id) || id < 0 || id > HIGHEST_ID;
};

export const account: Decoder<string> = scalar({
  label: 'string',
  schema: {
    anyOf: [
      { type: 'string', minLength: 1 },
      { type: 'integer', minimum: 0, maximum: HIGHEST_ID },
      { type: 'boolean' },
    ],
  },
  read: (given) =>
    isOutOfRange(given)
      ? refused(`is no number of an account: they go from 0 to ${HIGHEST_ID}`)
      : readFilled(given),
});
