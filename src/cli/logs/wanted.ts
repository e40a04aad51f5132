// Which lines are wanted: a stretch of time, a stream and a pattern.
import { stampOf, type LogEntry } from '../../streams/wire/log-line.ts';

export interface Wanted {
  /** Moments as log lines carry them, so that comparing text compares time. */
  readonly since?: string;
  readonly until?: string;
  readonly grep?: RegExp;
  /** Only what was printed there. */
  readonly stream?: string;
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1e3, m: 60e3, h: 3600e3, d: 86_400e3 };
const DATE = /^\d{4}-\d\d-\d\d/;
const AGO = /^(\d{1,12})(ms|s|m|h|d)$/;

/** A day of the calendar: the 30th of February is read as one of March elsewhere. */
const isDay = (written = 'none'): boolean => {
  const day = new Date(`${written}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(written);
};

/** ms since 1970; NaN of what is none. */
const timeIn = (written: string, now: Date): number => {
  const [, amount, unit = ''] = AGO.exec(written) ?? [];
  if (amount !== undefined) return now.getTime() - Number(amount) * (UNIT_MS[unit] ?? 0);
  const day = DATE.exec(written)?.[0];
  if (!isDay(day)) return NaN;
  // A date alone would be one of UTC, with a time beside it one of this machine.
  return Date.parse(day === written ? `${written}T00:00` : written);
};

/** The moment that `10m` (ago) or an ISO 8601 date means, as log lines carry it; `undefined` when it is neither. */
export const momentOf = (written: string, now: Date): string | undefined => {
  const date = new Date(timeIn(written, now));
  return Number.isNaN(date.getTime()) ? undefined : stampOf(date);
};

/** Whether the line was printed too late; a line without a time never is. */
export const isAfter = ({ at }: LogEntry, { until }: Wanted): boolean => until !== undefined && at > until;
export const isBefore = ({ at }: LogEntry, { since }: Wanted): boolean =>
  since !== undefined && at !== '' && at < since;
export const matches = ({ text, stream }: LogEntry, wanted: Wanted): boolean =>
  (wanted.stream === undefined || wanted.stream === stream) &&
  (wanted.grep === undefined || wanted.grep.test(text));
