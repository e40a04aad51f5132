import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/streams/domain/time.ts';
import type { Bucket } from '../../../src/streams/metrics/bucket.ts';
import { historyOf } from '../../../src/streams/metrics/history.ts';

const bucket = (at: number, rss = at): Bucket => ({
  from: instant(at),
  to: instant(at),
  cpu: { count: 1, min: rss / 2, sum: rss / 2, max: rss / 2 },
  rss: { count: 1, min: rss, sum: rss, max: rss },
});

const filled = (room: number, wanted: number, count: number) => {
  const history = historyOf(room, wanted);
  for (let at = 0; at < count; at += 1) history.add(bucket(at));
  return history;
};

describe('a history', () => {
  it('with room for everything keeps every sample, the newest of them', () => {
    const kept = filled(1_000, 10, 25).buckets();
    expect(kept.map(({ from }) => from)).toEqual([15, 16, 17, 18, 19, 20, 21, 22, 23, 24]);
  });

  it('with less has the newest as they came, and older ones in ever larger parts', () => {
    const kept = filled(12, 100, 100).buckets();
    expect(kept.slice(-3).every(({ rss }) => rss.count === 1)).toBe(true);
    const counts = kept.map(({ rss }) => rss.count);
    expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    expect(counts[0]).toBeGreaterThan(10);
  });

  it('with hardly any room keeps the newest', () => {
    expect(
      filled(2, 100, 9)
        .buckets()
        .map(({ from }) => from),
    ).toEqual([7, 8]);
  });

  it('forgets what ended before a moment', () => {
    const history = filled(1_000, 10, 10);
    history.forget(instant(7));
    expect(history.buckets().map(({ from }) => from)).toEqual([7, 8, 9]);
  });

  it('never has more room than it was given, and loses nothing of the time it is to keep', () => {
    const room = fc.integer({ min: 3, max: 200 });
    const wanted = fc.integer({ min: 1, max: 400 });
    const amounts = fc.array(fc.integer({ min: 0, max: 1e9 }), { maxLength: 400 });
    fc.assert(
      fc.property(room, wanted, amounts, (room, wanted, all) => {
        const given = all.slice(0, wanted);
        const history = historyOf(room, wanted);
        given.forEach((amount, at) => history.add(bucket(at, amount)));
        const kept = history.buckets();
        expect(history.capacity).toBeLessThanOrEqual(room);
        expect(kept.length).toBeLessThanOrEqual(history.capacity);
        const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
        expect(sum(kept.map(({ rss }) => rss.count))).toBe(given.length);
        expect(sum(kept.map(({ rss }) => rss.sum))).toBe(sum(given));
        expect(Math.max(0, ...kept.map(({ rss }) => rss.max))).toBe(Math.max(0, ...given));
        expect(kept.map(({ from }) => from)).toEqual(kept.map(({ from }) => from).toSorted((a, b) => a - b));
      }),
    );
  });
});
