// The expressions of `cron`. The package cron-parser parses them. Forms that `sup` does not support are
// refused before they are parsed. `next-run-time.ts` computes the times of an expression.
// Rules: `docs/behaviour.md`, "Schedules", "The expression".
import { type CronExpression, CronExpressionParser } from 'cron-parser';
import { zoneProblem } from './zone.ts';
import { messageOf } from '../domain/errors/thrown.ts';

/**
 * Returns the parsed expression, which finds the matching times after `reading`. It uses no time zone. Throws
 * if the expression is invalid.
 */
export const parseExpression = (expression: string, reading: number): CronExpression =>
  CronExpressionParser.parse(expression, { currentDate: reading, tz: 'UTC' });

/** Returns an error text if the expression cannot be used. */
const expressionProblem = (expression: string): string | undefined => {
  const fields = expression.split(/\s/).filter(Boolean).length;
  if (fields !== 5 && fields !== 6) return `"${expression}" is not five or six fields, but ${fields}`;
  // cron-parser replaces `H` by a random value in each parse. The `H` in `THU` does not count.
  if (/(?<![A-Z])H(?![A-Z])/i.test(expression)) return `"${expression}" has an H, which is not supported`;
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
