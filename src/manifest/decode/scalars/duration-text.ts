// Parses a duration (`docs/manifest.md`, "Rules that hold everywhere").
import { ms, type Ms } from '../../../streams/domain/time.ts';

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds, some thirty thousand years: adding it to a date yields a valid date. */
export const LONGEST = 1_000_000_000_000_000;

/** The duration in milliseconds, `Infinity` beyond the longest; `undefined` if the text is not a duration. */
export const parseDuration = (text: string): Ms | undefined => {
  const [, digits, unit = 's'] = /^(\d+)(ms|s|m|h)?$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const length = Number(digits) * (UNITS[unit] ?? Number.NaN);
  return ms(length > LONGEST ? Number.POSITIVE_INFINITY : length);
};
