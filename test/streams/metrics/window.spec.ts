import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/streams/domain/time.ts';
import type { Bucket } from '../../../src/streams/metrics/bucket.ts';
import { joinBuckets, pointsIn } from '../../../src/streams/metrics/window.ts';

const bucket = (from: number, rss = 1, to = from): Bucket => ({
  from: instant(from),
  to: instant(to),
  cpu: { count: 0, min: 0, sum: 0, max: 0 },
  rss: { count: 1, min: rss, sum: rss, max: rss },
});
const window = { since: instant(0), until: instant(100) };

describe('a window', () => {
  it('has few points of equal length, and none where nothing was sampled', () => {
    const points = pointsIn([bucket(1), bucket(9), bucket(55), bucket(100)], window, 10);
    expect(points.map(({ from, to, rss }) => [from, to, rss.count])).toEqual([
      [1, 9, 2],
      [55, 55, 1],
      [100, 100, 1],
    ]);
  });

  it('leaves out what is older or newer, and keeps what reaches into it', () => {
    const shifted = { since: instant(50), until: instant(100) };
    const points = pointsIn([bucket(1), bucket(40, 7, 60), bucket(101)], shifted, 5);
    expect(points.map(({ rss }) => rss.sum)).toEqual([7]);
  });

  it('takes the older part of two tellings only for the time before the newer begins', () => {
    const joined = joinBuckets([bucket(1), bucket(10, 1, 22), bucket(30)], [bucket(20, 2), bucket(21, 2)]);
    expect(joined.map(({ from }) => from)).toEqual([1, 20, 21]);
    expect(joinBuckets([bucket(1)], [])).toHaveLength(1);
  });
});
