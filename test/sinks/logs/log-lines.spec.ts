import { describe, expect, it } from 'vitest';
import { moments } from '../../../src/sinks/logs/log-lines.ts';

const stamps = (count: number): string[] => {
  const { now, text } = moments();
  return Array.from({ length: count }, () => text(now()));
};

describe('a log time', () => {
  it('a log time is the present time in UTC with microseconds', () => {
    const before = Date.now();
    const [stamp = ''] = stamps(1);
    expect(stamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(Date.parse(stamp)).toBeGreaterThanOrEqual(before - 5);
    expect(Date.parse(stamp)).toBeLessThanOrEqual(Date.now() + 5);
  });

  it('log times never decrease, and differ for lines less than a millisecond apart', () => {
    const many = stamps(20_000);
    expect(many.toSorted()).toEqual(many);
    expect(new Set(many).size).toBeGreaterThan(new Set(many.map((stamp) => stamp.slice(0, 23))).size);
  });
});
