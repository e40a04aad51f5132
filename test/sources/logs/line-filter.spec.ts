import { describe, expect, it } from 'vitest';
import { stampOf } from '../../../src/streams/wire/log-line.ts';
import { momentOf } from '../../../src/sources/logs/line-filter.ts';

const now = new Date('2026-11-21T05:30:00Z');

describe('a time on the command line', () => {
  it.each([
    ['10m', '2026-11-21T05:20:00.000000Z'],
    ['2h', '2026-11-21T03:30:00.000000Z'],
    ['1d', '2026-11-20T05:30:00.000000Z'],
    ['1500ms', '2026-11-21T05:29:58.500000Z'],
    ['2026-11-21T05:00:00Z', '2026-11-21T05:00:00.000000Z'],
    ['2024-02-29', stampOf(new Date(2024, 1, 29))],
    ['2024-02-29T00:00', stampOf(new Date(2024, 1, 29))],
    ['2024-02-29T00:00Z', '2024-02-29T00:00:00.000000Z'],
    ['2026-11-21T06:00:00+01:00', '2026-11-21T05:00:00.000000Z'],
    ['today', stampOf(new Date(2026, now.getMonth(), now.getDate()))],
    ['yesterday', stampOf(new Date(2026, now.getMonth(), now.getDate() - 1))],
  ])('%s is the time %s', (written, expected) => {
    expect(momentOf(written, now)).toBe(expected);
  });

  it.each([
    'tomorrow',
    '24:00',
    '7:5',
    '10',
    '-5m',
    '999999999999d',
    '',
    '2026-02-30',
    '2026-13-01T00:00:00Z',
  ])('%j is no time', (written) => {
    expect(momentOf(written, now)).toBeUndefined();
  });

  it('a time of day is the last time that the clock showed it', () => {
    const noon = new Date(2026, 10, 21, 12, 0);
    expect(momentOf('11:59', noon)).toBe(stampOf(new Date(2026, 10, 21, 11, 59)));
    expect(momentOf('22:40', noon)).toBe(stampOf(new Date(2026, 10, 20, 22, 40)));
  });
});
