import { describe, expect, it } from 'vitest';
import { lengthArgument } from '../../../src/cli/grammar/argument-values.ts';

describe('a duration on the command line', () => {
  it.each([
    ['250ms', 250],
    ['30s', 30_000],
    ['15m', 900_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    ['5', 5_000],
  ])('a duration of %s is %i ms', (written, length) =>
    expect(lengthArgument('--window', written)).toBe(length),
  );

  it.each(['', '0s', '0', 'm', '1w', '-1m', '1.5h', '9999999s'])('"%s" is no duration', (written) => {
    expect(() => lengthArgument('--window', written)).toThrow('is not a length of time');
  });
});
