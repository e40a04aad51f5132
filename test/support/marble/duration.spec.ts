import { describe, expect, it } from 'vitest';
import { durationOf } from './duration.ts';

describe('durationOf', () => {
  it.each([
    ['250ms', 250],
    ['10s', 10_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
  ])('durationOf reads %s', (text, length) => {
    expect(durationOf(text)).toBe(length);
  });

  it.each(['', '5', '0s', '1.5s', '-1s', '1m30s', 's', '5 m', '1constructor'])(
    'durationOf refuses "%s"',
    (text) => {
      expect(durationOf(text)).toBeUndefined();
    },
  );
});
