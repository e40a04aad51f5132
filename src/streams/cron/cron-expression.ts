// Computes when a cron service is due next. The package cron-parser parses the expressions. Forms that `sup`
// does not support are refused before they are parsed.
//
// When the clocks change, an expression of all 24 hours (`*/15 * * * *`) follows real time: it is due
// whenever the clock shows a matching time. Other expressions name times of day, and each time is due once a
// day: a skipped time at the end of the gap, and a repeated time only the first time. cron-parser alone is
// late after a gap, loses times at half-hour changes, and can repeat times. So it is used only with UTC,
// where clocks never change, and its results are converted to the time zone.
// Rules: `docs/behaviour.md`, "Schedules", "The expression".
import { type CronExpression, CronExpressionParser } from 'cron-parser';
import { changeBetween, firstShown, furthestReading, type OffsetAt, offsetIn, zoneProblem } from './zone.ts';
import type { CronSpec } from '../domain/declared/spec.ts';
import { messageOf } from '../domain/errors/thrown.ts';
import { instant, type Instant } from '../domain/time.ts';

/**
 * Returns the parsed expression, which finds the matching times after `reading`. It uses no time zone. Throws
 * if the expression is invalid.
 */
const parseExpression = (expression: string, reading: number): CronExpression =>
  CronExpressionParser.parse(expression, { currentDate: reading, tz: 'UTC' });

/** Returns an error text if the expression cannot be used. */
const expressionProblem = (expression: string): string | undefined => {
  const fields = expression.split(/\s/).filter(Boolean).length;
  if (fields !== 5 && fields !== 6) return `"${expression}" is not five or six fields, but ${fields}`;
  // cron-parser replaces `H` by a random value in each parse.
  if (/(^|[\s,])H/.test(expression)) return `"${expression}" has an H, which is not supported`;
  try {
    parseExpression(expression, 0).next();
    return undefined;
  } catch (error) {
    const reason = messageOf(error);
    return `"${expression}" is not a cron expression: ${reason}`;
  }
};

/** Returns an error text if the `cron` object of a manifest cannot be scheduled (ERR0221). */
export const cronProblem = (expression: string, timezone: string): string | undefined =>
  expressionProblem(expression) ?? zoneProblem(timezone);

const HOURS = 24;

/** A function that returns the first clock reading after the given reading that matches the expression. */
type Search = (reading: number) => number;

/** Returns the next due time of an expression that follows real time. `reading`: the wall clock at `at`. */
const nextInRealTime = (search: Search, offsetAt: OffsetAt, [at, reading]: [number, number]): number => {
  const due = search(reading) - offsetAt(at);
  if (offsetAt(due) === offsetAt(at)) return due;
  const change = changeBetween(offsetAt, at, due);
  return nextInRealTime(search, offsetAt, [change, change + offsetAt(change) - 1]);
};

/** Returns the first due time after `after`; `undefined` if there is none, such as for 31 February. */
export const nextDue = ({ expression, timezone }: CronSpec, after: Instant): Instant | undefined => {
  try {
    const offsetAt = offsetIn(timezone);
    const everyHour = parseExpression(expression, after).fields.hour.values.length === HOURS;
    const search: Search = (reading) => parseExpression(expression, reading).next().getTime();
    if (everyHour) return instant(nextInRealTime(search, offsetAt, [after, after + offsetAt(after)]));
    return instant(firstShown(search(furthestReading(after, offsetAt)), offsetAt));
  } catch {
    // cron-parser found no due time within its limits. An invalid expression was already refused.
    return undefined;
  }
};
