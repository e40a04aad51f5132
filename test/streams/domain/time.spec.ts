import { describe, expect, it } from 'vitest';
import { lengthText, ms } from '../../../src/streams/domain/time.ts';

describe('a duration', () => {
  it.each([
    [-5, '0 ms'],
    [0.4, '0 ms'],
    [250, '250 ms'],
    [1_500, '1.5 s'],
    [10_000, '10 s'],
    [59_960, '1 min'],
    [150_000, '2 min 30 s'],
    [900_000, '15 min'],
    [11_100_000, '3 h 5 min'],
    [90_000_000, '1 d 1 h'],
  ])('a duration of %d milliseconds reads %s', (length, text) => {
    expect(lengthText(ms(length))).toBe(text);
  });
});
