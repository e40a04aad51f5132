import { describe, expect, it } from 'vitest';
import { sizeAfter } from '../../../src/streams/launch/round-size.ts';

describe('the size of a round', () => {
  it.each([
    { what: 'is doubled at most', before: { size: 4, passed: 4, took: 1 }, after: 8 },
    { what: 'is what a turn can bear', before: { size: 12, passed: 12, took: 24 }, after: 10 },
    { what: 'is never none', before: { size: 1, passed: 1, took: 90 }, after: 1 },
    { what: 'is twelve at most', before: { size: 12, passed: 12, took: 1 }, after: 12 },
    { what: 'is the same where there was room for more', before: { size: 8, passed: 3, took: 60 }, after: 8 },
    { what: 'bears a clock that stands still', before: { size: 8, passed: 8, took: 0 }, after: 12 },
  ])('$what', ({ before, after }) => {
    expect(sizeAfter(before)).toBe(after);
  });
});
