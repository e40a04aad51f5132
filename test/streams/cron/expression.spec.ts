import { describe, expect, it } from 'vitest';
import { cronProblem } from '../../../src/streams/cron/expression.ts';

describe('cronProblem', () => {
  it.each(['* * * * *', '0 */5 * * * *', '  0 0 * * sun ', '0 0 1,15 * MON-FRI', '0 0 L * *', '0 0 29 2 *'])(
    'has nothing to say of "%s"',
    (expression) => {
      expect(cronProblem(expression, 'local')).toBeUndefined();
    },
  );

  it.each([
    ['', '"" is not five or six fields, but 0'],
    ['* * * *', '"* * * *" is not five or six fields, but 4'],
    ['* * * * * * *', '"* * * * * * *" is not five or six fields, but 7'],
    ['@daily', '"@daily" is not five or six fields, but 1'],
    ['H 3 * * *', '"H 3 * * *" has an H, which is not supported'],
  ])('refuses "%s"', (expression, problem) => {
    expect(cronProblem(expression, 'utc')).toBe(problem);
  });

  it.each([
    '60 * * * *',
    '* 24 * * *',
    '5-1 * * * *',
    '*/0 * * * *',
    '* * * * xyz',
    '0 0 31 2 *',
    ', * * * *',
  ])('says why "%s" cannot be read', (expression) => {
    expect(cronProblem(expression, 'utc')).toMatch(/is not a cron expression: ./);
  });

  it('refuses a time zone that does not exist', () => {
    expect(cronProblem('* * * * *', 'Mars/Olympus')).toBe(
      '"Mars/Olympus" is not an IANA time zone, utc or local',
    );
  });

  it('tells of the expression before the zone', () => {
    expect(cronProblem('nonsense', 'Mars/Olympus')).toBe(cronProblem('nonsense', 'utc'));
  });
});
