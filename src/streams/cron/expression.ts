// Cron expressions, as cron-parser reads them, less what this supervisor does not mean (`docs/behaviour.md`,
// "Schedules").
import { CronExpressionParser, type CronExpression } from 'cron-parser';
import { messageOf } from '../domain/errors/thrown.ts';
import { zoneProblem } from './zone.ts';

/**
 * On a clock that knows no zones and shows `reading`. Five fields get second 0. Throws for what `expressionProblem`
 * finds fault with.
 */
export const parseExpression = (expression: string, reading: number): CronExpression =>
  CronExpressionParser.parse(expression, { currentDate: reading, tz: 'UTC' });

/** Why the expression never says when; `undefined` when it does. */
const expressionProblem = (expression: string): string | undefined => {
  const fields = expression.trim().split(/\s+/).filter(Boolean).length;
  if (fields !== 5 && fields !== 6) return `"${expression}" is not five or six fields, but ${fields}`;
  // `H` stands for a value drawn by lot each time it is read: no two looks at the schedule would agree.
  if (/(^|[\s,])H/.test(expression)) return `"${expression}" has an H, which is not supported`;
  try {
    parseExpression(expression, 0).next();
    return undefined;
  } catch (error) {
    const reason = messageOf(error);
    return `"${expression}" is not a cron expression: ${reason}`;
  }
};

/** Why a `cron` object cannot be scheduled (ERR0221); `undefined` when it can. */
export const cronProblem = (expression: string, timezone: string): string | undefined =>
  expressionProblem(expression) ?? zoneProblem(timezone);
