// When a cron service is due next (`docs/behaviour.md`, "Schedules"). Pure: it receives the start time and
// does not read the clock. Expressions are read by cron-parser, without what this supervisor does not
// support.
//
// At a clock change, an expression that covers all 24 hours (`*/15 * * * *`) follows real time: every reading
// of the zone's clock counts. Any other expression names times of day, each due once a day. A time that does
// not exist is due at the end of the gap. A time that occurs twice is due the first time. cron-parser
// supports zones too, but is up to an hour late after a gap. It also loses times at half-hour changes, and
// can repeat a time that occurs twice. So it calculates here on a clock that never changes, and its readings
// are converted to real time. Rules: `docs/behaviour.md`, "Schedules", "The expression".
import { type CronExpression, CronExpressionParser } from 'cron-parser';
import { changeBetween, firstShown, furthestReading, type OffsetAt, offsetIn, zoneProblem } from './zone.ts';
import type { CronSpec } from '../domain/declared/spec.ts';
import { messageOf } from '../domain/errors/thrown.ts';
import { instant, type Instant } from '../domain/time.ts';

/**
 * Parses for a clock without time zone that shows `reading`. Five fields get second 0. Throws if
 * `expressionProblem` finds a problem.
 */
const parseExpression = (expression: string, reading: number): CronExpression =>
  CronExpressionParser.parse(expression, { currentDate: reading, tz: 'UTC' });

/** Returns why the expression is never due; `undefined` if it can be. */
const expressionProblem = (expression: string): string | undefined => {
  const fields = expression.trim().split(/\s+/).filter(Boolean).length;
  if (fields !== 5 && fields !== 6) return `"${expression}" is not five or six fields, but ${fields}`;
  // `H` is a random value for each parse, so that two reads of the schedule would differ.
  if (/(^|[\s,])H/.test(expression)) return `"${expression}" has an H, which is not supported`;
  try {
    parseExpression(expression, 0).next();
    return undefined;
  } catch (error) {
    const reason = messageOf(error);
    return `"${expression}" is not a cron expression: ${reason}`;
  }
};

/** Returns why a `cron` object cannot be scheduled (ERR0221); `undefined` if it can. */
export const cronProblem = (expression: string, timezone: string): string | undefined =>
  expressionProblem(expression) ?? zoneProblem(timezone);

const HOURS = 24;

/** Finds the first reading of the expression after the given one. */
type Search = (reading: number) => number;

/** `reading` is what the clock shows at `at` or, just after a change, a moment earlier. */
const nextInRealTime = (search: Search, offsetAt: OffsetAt, [at, reading]: [number, number]): number => {
  const due = search(reading) - offsetAt(at);
  if (offsetAt(due) === offsetAt(at)) return due;
  const change = changeBetween(offsetAt, at, due);
  return nextInRealTime(search, offsetAt, [change, change + offsetAt(change) - 1]);
};

/**
 * Returns the first due time after `after`, or `undefined` if there is none (31 February) or the expression
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
    // An unreadable expression was refused at load. cron-parser also throws if it finds nothing within its
    // bounds.
    return undefined;
  }
};
