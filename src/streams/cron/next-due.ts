// Computes when a cron service is due next (`docs/behaviour.md`, "Schedules"). The result depends only on the
// parameters. cron-parser parses the expressions; forms that this supervisor does not support are refused
// before.
//
// At a clock change, an expression that covers all 24 hours (`*/15 * * * *`) follows real time: it is due at
// every matching reading of the zone's clock. Any other expression names times of day, each due once a day. A
// time that does not exist is due at the end of the gap. A time that occurs twice is due the first time.
// cron-parser supports zones too, but is up to an hour late after a gap. It also loses times at half-hour
// changes, and can repeat a time that occurs twice. So it is used only with UTC, where no clock change
// occurs, and its results are converted to real time.
//
// Rules: `docs/behaviour.md`, "Schedules", "The expression".
import { type CronExpression, CronExpressionParser } from 'cron-parser';
import { changeBetween, firstShown, furthestReading, type OffsetAt, offsetIn, zoneProblem } from './zone.ts';
import type { CronSpec } from '../domain/declared/spec.ts';
import { messageOf } from '../domain/errors/thrown.ts';
import { instant, type Instant } from '../domain/time.ts';

/**
 * Parses an expression so that the search begins at `reading`, on a clock without time zone. An expression
 * with five fields is due at second 0. Throws if `expressionProblem` finds a problem.
 */
const parseExpression = (expression: string, reading: number): CronExpression =>
  CronExpressionParser.parse(expression, { currentDate: reading, tz: 'UTC' });

/** Returns an error text if the expression cannot be used; otherwise `undefined`. */
const expressionProblem = (expression: string): string | undefined => {
  const fields = expression.trim().split(/\s+/).filter(Boolean).length;
  if (fields !== 5 && fields !== 6) return `"${expression}" is not five or six fields, but ${fields}`;
  // cron-parser replaces `H` by a random value in each parse, so that two parses of one schedule would
  // differ.
  if (/(^|[\s,])H/.test(expression)) return `"${expression}" has an H, which is not supported`;
  try {
    parseExpression(expression, 0).next();
    return undefined;
  } catch (error) {
    const reason = messageOf(error);
    return `"${expression}" is not a cron expression: ${reason}`;
  }
};

/**
 * Returns an error text if the `cron` object of a manifest cannot be scheduled (ERR0221); otherwise
 * `undefined`.
 */
export const cronProblem = (expression: string, timezone: string): string | undefined =>
  expressionProblem(expression) ?? zoneProblem(timezone);

const HOURS = 24;

/** Returns the first clock reading (see `zone.ts`) after the given one that matches the expression. */
type Search = (reading: number) => number;

/**
 * Returns the next due time of an expression that follows real time. `reading` is what the wall clock shows
 * at `at`; just after a clock change it may be a moment earlier.
 */
const nextInRealTime = (search: Search, offsetAt: OffsetAt, [at, reading]: [number, number]): number => {
  const due = search(reading) - offsetAt(at);
  if (offsetAt(due) === offsetAt(at)) return due;
  const change = changeBetween(offsetAt, at, due);
  return nextInRealTime(search, offsetAt, [change, change + offsetAt(change) - 1]);
};

/**
 * Returns the first due time later than `after`; `undefined` if there is none (31 February) or the expression
 * is invalid.
 */
export const nextDue = ({ expression, timezone }: CronSpec, after: Instant): Instant | undefined => {
  try {
    const offsetAt = offsetIn(timezone);
    const everyHour = parseExpression(expression, after).fields.hour.values.length === HOURS;
    const search: Search = (reading) => parseExpression(expression, reading).next().getTime();
    if (everyHour) return instant(nextInRealTime(search, offsetAt, [after, after + offsetAt(after)]));
    return instant(firstShown(search(furthestReading(after, offsetAt)), offsetAt));
  } catch {
    // An invalid expression was refused when the manifest was loaded. cron-parser also throws if it finds no
    // due time within its limits.
    return undefined;
  }
};
