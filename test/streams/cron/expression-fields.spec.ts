import { describe, expect, it } from 'vitest';
import { cronTimes } from '../../../src/streams/cron/expression-fields.ts';

const from = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

const [DAYS, WEEKDAYS] = [from(1, 31), from(0, 6)];
const midnight = {
  ...{ second: [0], minute: [0], hour: [0], month: from(1, 12) },
  ...{ day: DAYS, weekday: WEEKDAYS, isLastDay: false },
};

describe('cronTimes', () => {
  it.each([
    ['30 6 * * *', { minute: [30], hour: [6] }],
    ['*/30 0,12 6 * 2-4 *', { second: [0, 30], minute: [0, 12], hour: [6], month: [2, 3, 4] }],
    ['0 0 1,15 * *', { day: [1, 15] }],
    ['0 0 L * *', { day: [], isLastDay: true }],
    ['0 0 1,L * *', { day: [1], isLastDay: true }],
    ['0 0 * * 6,1', { weekday: [1, 6] }],
    ['0 0 ? * 1', { weekday: [1] }],
  ])('cronTimes lists the values of each field of "%s"', (expression, times) => {
    expect(cronTimes(expression)).toEqual({ ...midnight, ...times });
  });

  it.each([
    ['0 0 * * 7', [0]],
    ['0 0 * * 7,1', [0, 1]],
    ['0 0 * * 5-7', [0, 5, 6]],
    ['0 0 * * 0-7', WEEKDAYS],
  ])('cronTimes lists Sunday as 0 and once, for "%s"', (expression, weekday) => {
    expect(cronTimes(expression)).toEqual({ ...midnight, weekday });
  });

  it('cronTimes keeps days of the month and of the week that are both restricted', () => {
    expect(cronTimes('0 0 1,15 * 1')).toEqual({ ...midnight, day: [1, 15], weekday: [1] });
  });

  it.each(['0 0 1 * 0-6', '0 0 1 * */1', '0 0 L * 0-6', '0 0 1-31 * 1', '0 0 */1 * 1'])(
    'cronTimes has every day for "%s", because either of two restricted fields is enough',
    (expression) => {
      expect(cronTimes(expression)).toEqual(midnight);
    },
  );

  it.each(['0 0 * * 5L', '0 0 * * 1#2', '0 0 * * 1#1'])(
    'cronTimes returns nothing for "%s", which counts weekdays in the month',
    (expression) => {
      expect(cronTimes(expression)).toBeUndefined();
    },
  );
});
