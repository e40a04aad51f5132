// Decodes durations: a whole number with ms, s, m or h, or without a unit in seconds (ERR0210;
// `docs/manifest.md`, "Rules that hold everywhere").
import { isNegative } from './number.ts';
import { orReference, read, type ScalarReading, scalar } from './scalar.ts';
import type { Decoder } from '../shapes/decoder.ts';
import { ms, type Ms } from '../../../streams/domain/time.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** The longest duration, about 30,000 years in ms. Today's date plus this duration is still a valid date. */
const LONGEST = 1_000_000_000_000_000;

/** Returns the duration in ms, `Infinity` above the maximum, `undefined` for other text. */
export const parseDuration = (text: string): Ms | undefined => {
  const [, digits, unit = 's'] = /^(\d+)(ms|s|m|h)?$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const length = Number(digits) * (UNITS[unit] ?? Number.NaN);
  return ms(length > LONGEST ? Number.POSITIVE_INFINITY : length);
};

const unreadable = (rule: string): ScalarReading<never> => ({ ok: false, code: 'ERR0210', rule });

const RULE = 'is not a whole number with ms, s, m or h';

const readDuration = (text: string): ScalarReading<Ms> => {
  if (isNegative(text)) return unreadable('is less than zero');
  const length = parseDuration(text);
  if (length === undefined) return unreadable(RULE);
  return Number.isFinite(length)
    ? read(length)
    : unreadable(`is longer than ${LONGEST / 1000}s, the longest duration`);
};

/** Decodes a duration of zero or longer. */
export const duration: Decoder<Ms> = scalar({
  label: 'duration',
  schema: orReference({
    anyOf: [
      { type: 'integer', minimum: 0 },
      { type: 'string', pattern: '^\\d+(ms|s|m|h)?$' },
    ],
  }),
  read: ({ text }) => readDuration(text),
});

const POSITIVE = [
  { type: 'integer', minimum: 1 },
  { type: 'string', pattern: '^0*[1-9]\\d*(ms|s|m|h)?$' },
] as const;

const readPositive = (text: string): ScalarReading<Ms> => {
  const reading = readDuration(text);
  return reading.ok && reading.value === 0 ? unreadable('is not greater than zero') : reading;
};

/** Decodes a duration greater than zero. */
export const positiveDuration: Decoder<Ms> = scalar({
  label: 'duration',
  schema: orReference({ anyOf: [...POSITIVE] }),
  read: ({ text }) => readPositive(text),
});

/** Returns a decoder of durations that are not shorter than `least`. */
export const durationFrom = (least: Ms): Decoder<Ms> =>
  scalar({
    label: 'duration',
    schema: orReference({ anyOf: [...POSITIVE] }),
    read: ({ text }) => {
      const reading = readDuration(text);
      return reading.ok && reading.value < least ? unreadable(`is shorter than ${least}ms`) : reading;
    },
  });

/** Decodes a duration or the word `off`, which YAML 1.1 reads as false. */
export const durationOrOff: Decoder<Ms | 'off'> = scalar<Ms | 'off'>({
  label: 'duration or `off`',
  schema: orReference({ anyOf: [...POSITIVE, { const: 'off' }] }),
  read: ({ text }) => (text === 'off' ? read('off') : readPositive(text)),
});

const DAY_MS = 86_400_000;

/** Decodes a duration greater than zero that may also be written in days: `7d`. */
export const age: Decoder<Ms> = scalar({
  label: 'duration',
  schema: orReference({
    anyOf: [POSITIVE[0], { type: 'string', pattern: '^0*[1-9]\\d*(ms|s|m|h|d)?$' }],
  }),
  read: ({ text }) => {
    const [, days] = /^(\d+)d$/.exec(text) ?? [];
    return readPositive(days === undefined ? text : `${String(Number(days) * DAY_MS)}ms`);
  },
});
