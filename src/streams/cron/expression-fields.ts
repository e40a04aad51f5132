// Computes the times of a cron expression as lists of numbers, to write them in other formats of schedules.
import { CronExpressionParser } from 'cron-parser';

/** The values of each field in ascending order. Sunday is 0. */
export interface CronTimes {
  readonly second: readonly number[];
  readonly minute: readonly number[];
  readonly hour: readonly number[];
  /** Days of the month. */
  readonly day: readonly number[];
  /** True if the expression also names the last day of the month. */
  readonly isLastDay: boolean;
  readonly month: readonly number[];
  readonly weekday: readonly number[];
}

const numbers = (values: readonly (number | string)[]): readonly number[] =>
  values.filter((value) => typeof value === 'number');

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

const [ALL_DAYS, ALL_WEEKDAYS] = [range(1, 31), range(0, 6)];

/**
 * Returns the weekdays as numbers. cron-parser lists Sunday as 0, and in a range up to 7 also as 7. This 7 is
 * removed.
 */
const weekdaysIn = (values: readonly (number | string)[]): readonly number[] =>
  numbers(values).filter((value) => value !== 7);

/** Returns the times of a valid expression; `undefined` if it counts weekdays in the month (`1#2`, `5L`). */
export const cronTimes = (expression: string): CronTimes | undefined => {
  const { fields } = CronExpressionParser.parse(expression, { tz: 'UTC', currentDate: 0 });
  const { second, minute, hour, dayOfMonth, month, dayOfWeek } = fields;
  if (dayOfWeek.hasLastChar || dayOfWeek.nthDay > 0) return undefined;
  const clock = { second: second.values, minute: minute.values, hour: hour.values, month: month.values };
  const [day, weekday] = [numbers(dayOfMonth.values), weekdaysIn(dayOfWeek.values)];
  // If days of the month and of the week are both restricted, each day in one of the lists is due. So if one
  // of the lists names all days, every day is due.
  const isDaily =
    (!dayOfWeek.isWildcard && weekday.length === ALL_WEEKDAYS.length) || day.length === ALL_DAYS.length;
  if (isDaily && !dayOfMonth.isWildcard)
    return { ...clock, day: ALL_DAYS, weekday: ALL_WEEKDAYS, isLastDay: false };
  return { ...clock, day, weekday, isLastDay: dayOfMonth.hasLastChar };
};
