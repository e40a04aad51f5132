// Cron expressions, as cron-parser reads them, without what this supervisor does not support
// (`docs/behaviour.md`, "Schedules").
// Rules: `docs/behaviour.md`, "Schedules", "The expression".
import { CronExpressionParser, type CronExpression } from 'cron-parser';
import { messageOf } from '../domain/errors/thrown.ts';
import { zoneProblem } from './zone.ts';

/**
 * Parses for a clock without time zone that shows `reading`. Five fields get second 0. Throws if
 * `expressionProblem` finds a problem.
 */
export const parseExpression = (expression: string, reading: number): CronExpression =>
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
