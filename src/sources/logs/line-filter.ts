// Selects log lines by time, stream and pattern.
import type { OnDamage } from './log-files.ts';
import { stampOf, type LogEntry } from '../../streams/wire/log-line.ts';

export interface Wanted {
  /**
   * Earliest time of a selected line, in the format of log lines, in which times can be compared as texts.
   */
  readonly since?: string;
  readonly until?: string;
  readonly grep?: RegExp;
  /** Selects only lines of this stream, such as `stderr`. Absent: lines of all streams. */
  readonly stream?: string;
  readonly onDamage?: OnDamage;
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1e3, m: 60e3, h: 3600e3, d: 86_400e3 };
const DATE = /^\d{4}-\d\d-\d\d/;
const CLOCK = /^([01]?\d|2[0-3]):([0-5]\d)$/;
const AGO = /^(\d{1,12})(ms|s|m|h|d)$/;

/** True for a day that exists in the calendar: `Date` would accept 30 February as a day in March. */
const isDay = (written = 'none'): boolean => {
  const day = new Date(`${written}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(written);
};

const DAYS_BACK: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['yesterday', 1],
]);

/** Returns the last moment at which the local clock showed this time of day. */
const lastTimeOf = (hours: number, minutes: number, now: Date): number => {
  const at = new Date(now);
  at.setHours(hours, minutes, 0, 0);
  if (at > now) at.setDate(at.getDate() - 1);
  return at.getTime();
};

/**
 * Returns midnight of `today` or `yesterday`, or the last moment with this time of day; `undefined` for any
 * other text.
 */
const namedTime = (written: string, now: Date): number | undefined => {
  const back = DAYS_BACK.get(written);
  if (back !== undefined) return new Date(now.getFullYear(), now.getMonth(), now.getDate() - back).getTime();
  const [, hours, minutes] = CLOCK.exec(written) ?? [];
  return hours === undefined ? undefined : lastTimeOf(Number(hours), Number(minutes), now);
};

/** Returns the moment that was this long ago (`10m`); `undefined` if the text is not a duration. */
const ageTime = (written: string, now: Date): number | undefined => {
  const [, amount, unit = ''] = AGO.exec(written) ?? [];
  return amount === undefined ? undefined : now.getTime() - Number(amount) * (UNIT_MS[unit] ?? 0);
};

/** Returns the moment of an ISO 8601 date in ms since 1970; NaN if the text is not a date. */
const dateTime = (written: string): number => {
  const day = DATE.exec(written)?.[0];
  if (!isDay(day)) return NaN;
  // `Date.parse` reads a date without a time of day as UTC, but a date with a time of day as local time.
  return Date.parse(day === written ? `${written}T00:00` : written);
};

/** Returns the moment that the text names, in ms since 1970; NaN if the text names no moment. */
const timeIn = (written: string, now: Date): number =>
  namedTime(written, now) ?? ageTime(written, now) ?? dateTime(written);

/**
 * Returns the moment that the text names, in the format of log lines. The text is a duration before now
 * (`10m`), `today`, `yesterday`, a time of day (`22:40`) or an ISO 8601 date; `undefined` for any other text.
 */
export const momentOf = (written: string, now: Date): string | undefined => {
  const date = new Date(timeIn(written, now));
  return Number.isNaN(date.getTime()) ? undefined : stampOf(date);
};

/** True if the line is later than `until`; false for a line without a time. */
export const isAfter = ({ at }: Pick<LogEntry, 'at'>, { until }: Wanted): boolean =>
  until !== undefined && at > until;
export const isBefore = ({ at }: Pick<LogEntry, 'at'>, { since }: Wanted): boolean =>
  since !== undefined && at !== '' && at < since;
export const matches = ({ text, stream }: LogEntry, wanted: Wanted): boolean =>
  (wanted.stream === undefined || wanted.stream === stream) &&
  (wanted.grep === undefined || wanted.grep.test(text));
