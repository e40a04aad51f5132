import { describe, expect, it } from 'vitest';
import { cronProblem } from '../../../src/streams/cron/cron-expression.ts';
import { nextDue } from '../../../src/streams/cron/next-run-time.ts';
import type { CronSpec } from '../../../src/streams/domain/declared/spec.ts';
import { instant } from '../../../src/streams/domain/time.ts';

describe('cronProblem', () => {
  it.each([
    '* * * * *',
    '0 */5 * * * *',
    '  0 0 * * sun ',
    '0 0 1,15 * MON-FRI',
    '0 0 * * THU',
    '0 0 L * *',
    '0 0 29 2 *',
  ])('cronProblem accepts "%s"', (expression) => {
    expect(cronProblem(expression, 'local')).toBeUndefined();
  });

  it.each([
    ['', '"" is not five or six fields, but 0'],
    ['* * * *', '"* * * *" is not five or six fields, but 4'],
    ['* * * * * * *', '"* * * * * * *" is not five or six fields, but 7'],
    ['@daily', '"@daily" is not five or six fields, but 1'],
    ...['H 3 * * *', '0 H * * *', '0 1,H * * *', '*/H * * * *', '0 0 * * 1-H', '0 0 H(1-5) * *'].map(
      (expression) => [expression, `"${expression}" has an H, which is not supported`],
    ),
  ])('cronProblem refuses "%s"', (expression, problem) => {
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
  ])('cronProblem says why "%s" is invalid', (expression) => {
    expect(cronProblem(expression, 'utc')).toMatch(/is not a cron expression: ./);
  });

  it('cronProblem refuses an unknown time zone', () => {
    expect(cronProblem('* * * * *', 'Mars/Olympus')).toBe(
      '"Mars/Olympus" is not an IANA time zone, utc or local',
    );
  });

  it('cronProblem reports the expression before the zone', () => {
    expect(cronProblem('nonsense', 'Mars/Olympus')).toBe(cronProblem('nonsense', 'utc'));
  });
});

/** Returns the due times after a given time, each computed from the previous one, as the kernel does. */
const boundaries = (cron: CronSpec, after: string, count: number): readonly string[] => {
  const found: string[] = [];
  let due = nextDue(cron, instant(Date.parse(after)));
  while (due !== undefined && found.length < count) {
    found.push(new Date(due).toISOString().replace('.000Z', 'Z'));
    due = nextDue(cron, due);
  }
  return found;
};

const cron = (expression: string, timezone: string): CronSpec => ({ expression, timezone });

describe('nextDue', () => {
  it.each([
    [
      'second 0 of a minute, for five fields',
      '*/5 * * * *',
      ['2026-01-01T00:05:00Z', '2026-01-01T00:10:00Z'],
    ],
    ['each second it names, for six', '*/30 * * * * *', ['2026-01-01T00:00:30Z', '2026-01-01T00:01:00Z']],
    ['Sunday by 0', '0 0 * * 0', ['2026-01-04T00:00:00Z', '2026-01-11T00:00:00Z']],
    ['Sunday by 7', '0 0 * * 7', ['2026-01-04T00:00:00Z', '2026-01-11T00:00:00Z']],
    [
      'a range up to Sunday',
      '0 0 * * 5-7',
      ['2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z', '2026-01-04T00:00:00Z'],
    ],
    ['days and months by name', '0 0 * feb Mon', ['2026-02-02T00:00:00Z', '2026-02-09T00:00:00Z']],
    ['the last day of a month', '0 0 L 2 *', ['2026-02-28T00:00:00Z', '2027-02-28T00:00:00Z']],
    ['29 February in leap years', '0 12 29 2 *', ['2028-02-29T12:00:00Z', '2032-02-29T12:00:00Z']],
    ['either day where both are given', '0 0 10 * mon', ['2026-01-05T00:00:00Z', '2026-01-10T00:00:00Z']],
  ])('nextDue is %s', (_, expression, due) => {
    expect(boundaries(cron(expression, 'utc'), '2026-01-01T00:00:00Z', due.length)).toEqual(due);
  });

  it('nextDue is later than the given time, at a due time and a millisecond before one', () => {
    expect(boundaries(cron('0 6 * * *', 'utc'), '2026-01-01T06:00:00Z', 1)).toEqual(['2026-01-02T06:00:00Z']);
    expect(boundaries(cron('0 6 * * *', 'utc'), '2026-01-01T05:59:59.999Z', 1)).toEqual([
      '2026-01-01T06:00:00Z',
    ]);
  });

  it('nextDue is a time of day in the given zone', () => {
    expect(boundaries(cron('30 6 * * *', 'America/New_York'), '2026-01-01T00:00:00Z', 1)).toEqual([
      '2026-01-01T11:30:00Z',
    ]);
    expect(boundaries(cron('30 6 * * *', 'Asia/Kolkata'), '2026-01-01T00:00:00Z', 1)).toEqual([
      '2026-01-01T01:00:00Z',
    ]);
  });

  it.each([
    ['31 February', '0 0 31 2 *'],
    ['the 31st of short months', '0 0 31 4,6,9,11 *'],
    ['what is no expression', 'every day'],
  ])('nextDue is never for %s', (_, expression) => {
    expect(boundaries(cron(expression, 'utc'), '2026-01-01T00:00:00Z', 1)).toEqual([]);
  });

  it('nextDue is never in an unknown zone', () => {
    expect(boundaries(cron('0 0 * * *', 'Mars/Olympus'), '2026-01-01T00:00:00Z', 1)).toEqual([]);
  });
});

describe('nextDue at the start of summer time (Berlin, 29 March 2026: 02:00 becomes 03:00, at 01:00 UTC)', () => {
  it.each([
    ['a time in the gap is due at its end', '30 2 * * *', ['2026-03-29T01:00:00Z', '2026-03-30T00:30:00Z']],
    ['all times in the gap are due once', '*/20 2 * * *', ['2026-03-29T01:00:00Z', '2026-03-30T00:00:00Z']],
    [
      'a time after the gap keeps its reading',
      '30 2,3 * * *',
      ['2026-03-29T01:00:00Z', '2026-03-29T01:30:00Z'],
    ],
    ['a time at its end is due once', '0 2,3 * * *', ['2026-03-29T01:00:00Z', '2026-03-30T00:00:00Z']],
    [
      'every hour follows real time',
      '30 * * * *',
      ['2026-03-28T23:30:00Z', '2026-03-29T00:30:00Z', '2026-03-29T01:30:00Z'],
    ],
    [
      'every hour is also due at the moment of the change',
      '0 * * * *',
      ['2026-03-28T23:00:00Z', '2026-03-29T00:00:00Z', '2026-03-29T01:00:00Z', '2026-03-29T02:00:00Z'],
    ],
  ])('nextDue at the start of summer time: %s', (_, expression, due) => {
    expect(boundaries(cron(expression, 'Europe/Berlin'), '2026-03-28T22:45:00Z', due.length)).toEqual(due);
  });

  it('nextDue does not miss a time in a gap of half an hour', () => {
    const due = ['2026-10-03T15:30:00Z', '2026-10-04T15:15:00Z'];
    expect(boundaries(cron('15 2 * * *', 'Australia/Lord_Howe'), '2026-10-03T12:00:00Z', 2)).toEqual(due);
  });

  it('nextDue for a time in a gap at midnight is the end of the gap', () => {
    const due = ['2026-03-08T05:00:00Z', '2026-03-09T04:30:00Z'];
    expect(boundaries(cron('30 0 * * *', 'America/Havana'), '2026-03-07T12:00:00Z', 2)).toEqual(due);
  });
});

describe('nextDue at the end of summer time (Berlin, 25 October 2026: 03:00 becomes 02:00, at 01:00 UTC)', () => {
  it.each([
    [
      'a time that comes twice is due the first time',
      '30 2 * * *',
      ['2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
    ],
    ['a time after it keeps its reading', '30 2,3 * * *', ['2026-10-25T00:30:00Z', '2026-10-25T02:30:00Z']],
    [
      'every hour follows real time',
      '30 * * * *',
      ['2026-10-24T23:30:00Z', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-25T02:30:00Z'],
    ],
  ])('nextDue at the end of summer time: %s', (_, expression, due) => {
    expect(boundaries(cron(expression, 'Europe/Berlin'), '2026-10-24T23:00:00Z', due.length)).toEqual(due);
  });

  it.each(['2026-10-25T01:00:00Z', '2026-10-25T01:10:00Z', '2026-10-25T01:59:59.999Z'])(
    'nextDue does not repeat a past time if asked at %s, in the second pass',
    (asked) => {
      expect(boundaries(cron('30 2 * * *', 'Europe/Berlin'), asked, 1)).toEqual(['2026-10-26T01:30:00Z']);
      expect(boundaries(cron('0 3 * * *', 'Europe/Berlin'), asked, 1)).toEqual(['2026-10-25T02:00:00Z']);
    },
  );

  it('nextDue for a time in a repeated hour at midnight is its first occurrence', () => {
    const due = ['2026-11-01T04:30:00Z', '2026-11-02T05:30:00Z'];
    expect(boundaries(cron('30 0 * * *', 'America/Havana'), '2026-10-31T12:00:00Z', 2)).toEqual(due);
  });
});

describe('nextDue around a change of the clocks', () => {
  const HOUR = 3_600_000;
  it.each([
    ['Europe/Berlin', '2026-03-28T18:00:00Z'],
    ['Europe/Berlin', '2026-10-24T18:00:00Z'],
    ['America/Havana', '2026-10-31T18:00:00Z'],
    ['Australia/Lord_Howe', '2026-04-04T09:00:00Z'],
    ['Australia/Lord_Howe', '2026-10-03T09:00:00Z'],
  ])('nextDue in %s after %s is the same for each time at which it is asked', (timezone, from) => {
    const [begin, end] = [Date.parse(from), Date.parse(from) + 14 * HOUR];
    for (const expression of ['30 2 * * *', '*/20 0-3 * * *', '0 */2 * * *', '*/15 * * * *']) {
      let expected = nextDue({ expression, timezone }, instant(begin));
      for (let at = begin; at < end; at += 5 * 60_000) {
        if (expected !== undefined && expected <= at) expected = nextDue({ expression, timezone }, expected);
        expect(nextDue({ expression, timezone }, instant(at)), `${expression} at ${at}`).toBe(expected);
      }
    }
  });
});
