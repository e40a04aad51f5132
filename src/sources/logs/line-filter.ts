// Selects lines by time, stream and pattern.
import { stampOf, type LogEntry } from '../../streams/wire/log-line.ts';

export interface Wanted {
  /** Times in the format of log lines, so that comparing text compares time. */
  readonly since?: string;
  readonly until?: string;
  readonly grep?: RegExp;
  /** If set, only lines of this stream. */
  readonly stream?: string;
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1e3, m: 60e3, h: 3600e3, d: 86_400e3 };
const DATE = /^\d{4}-\d\d-\d\d/;
/** `22:40` */
const CLOCK = /^([01]?\d|2[0-3]):([0-5]\d)$/;
const AGO = /^(\d{1,12})(ms|s|m|h|d)$/;

/** True for a real calendar day: `Date` would read 30 February as a day in March. */
const isDay = (written = 'none'): boolean => {
  const day = new Date(`${written}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(written);
};

const DAYS_BACK: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['yesterday', 1],
]);

/** Returns the last time that the local clock showed this time of day. */
const lastTimeOf = (hours: number, minutes: number, now: Date): number => {
  const at = new Date(now);
  at.setHours(hours, minutes, 0, 0);
  if (at > now) at.setDate(at.getDate() - 1);
  return at.getTime();
};

/** Returns midnight of a named day, or a time of day; `undefined` for anything else. */
const namedTime = (written: string, now: Date): number | undefined => {
  const back = DAYS_BACK.get(written);
  if (back !== undefined) return new Date(now.getFullYear(), now.getMonth(), now.getDate() - back).getTime();
  const [, hours, minutes] = CLOCK.exec(written) ?? [];
  return hours === undefined ? undefined : lastTimeOf(Number(hours), Number(minutes), now);
};

/** Returns the time that long ago; `undefined` if it is not an age. */
const ageTime = (written: string, now: Date): number | undefined => {
  const [, amount, unit = ''] = AGO.exec(written) ?? [];
  return amount === undefined ? undefined : now.getTime() - Number(amount) * (UNIT_MS[unit] ?? 0);
};

/** Returns NaN if it is not a date. */
const dateTime = (written: string): number => {
  const day = DATE.exec(written)?.[0];
  if (!isDay(day)) return NaN;
  // A date alone would be UTC, with a time it would be local.
  return Date.parse(day === written ? `${written}T00:00` : written);
};

/** Returns ms since 1970, or NaN if it is not a time. */
const timeIn = (written: string, now: Date): number =>
  namedTime(written, now) ?? ageTime(written, now) ?? dateTime(written);

/**
 * Returns the moment for `10m` (ago), `today`, `yesterday`, `22:40` or an ISO 8601 date, in the format of log
 * lines. Anything else gives `undefined`.
 */
export const momentOf = (written: string, now: Date): string | undefined => {
  const date = new Date(timeIn(written, now));
  return Number.isNaN(date.getTime()) ? undefined : stampOf(date);
};

/** True if the line is later than `until`; a line without a time never is. */
export const isAfter = ({ at }: LogEntry, { until }: Wanted): boolean => until !== undefined && at > until;
export const isBefore = ({ at }: LogEntry, { since }: Wanted): boolean =>
  since !== undefined && at !== '' && at < since;
export const matches = ({ text, stream }: LogEntry, wanted: Wanted): boolean =>
  (wanted.stream === undefined || wanted.stream === stream) &&
  (wanted.grep === undefined || wanted.grep.test(text));
