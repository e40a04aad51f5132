import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/streams/domain/time.ts';
import {
  type Bucket,
  bucketOf,
  joinBuckets,
  meanOf,
  mergeBuckets,
  pointsIn,
} from '../../../src/streams/metrics/bucket.ts';
import { beat } from './support.ts';

const single = (at: number, rss: number, cpu?: number): Bucket => {
  const made = beat(at, ['web'], { rss, ...(cpu !== undefined && { cpu }) });
  const [sample] = made.samples;
  if (sample === undefined) throw new Error('a beat without a sample');
  return bucketOf(made, sample);
};

describe('a bucket', () => {
  it('a bucket of one sample is that sample', () => {
    expect(single(5, 100, 20)).toEqual({
      from: instant(5),
      to: instant(5),
      cpu: { count: 1, min: 20, sum: 20, max: 20 },
      rss: { count: 1, min: 100, sum: 100, max: 100 },
    });
  });

  it('a bucket of two samples keeps a value that only one of them has', () => {
    const both = mergeBuckets(single(1, 10), single(2, 30, 50));
    expect(both.cpu).toEqual({ count: 1, min: 50, sum: 50, max: 50 });
    expect(meanOf(both.rss)).toBe(20);
    expect(meanOf(single(1, 10).cpu)).toBeUndefined();
  });

  it('a bucket is the same in any order of merging', () => {
    const amount = fc.integer({ min: 0, max: 2 ** 40 });
    fc.assert(
      fc.property(fc.array(amount, { minLength: 3, maxLength: 3 }), ([a = 0, b = 0, c = 0]) => {
        const [x, y, z] = [single(1, a, a), single(2, b), single(3, c, c)];
        expect(mergeBuckets(mergeBuckets(x, y), z)).toEqual(mergeBuckets(x, mergeBuckets(y, z)));
        expect(mergeBuckets(x, y)).toEqual(mergeBuckets(y, x));
      }),
    );
  });
});

const bucket = (from: number, rss = 1, to = from): Bucket => ({
  from: instant(from),
  to: instant(to),
  cpu: { count: 0, min: 0, sum: 0, max: 0 },
  rss: { count: 1, min: rss, sum: rss, max: rss },
});
const window = { since: instant(0), until: instant(100) };

describe('a window', () => {
  it('a window has few points of equal length, and none without samples', () => {
    const points = pointsIn([bucket(1), bucket(9), bucket(55), bucket(100)], window, 10);
    expect(points.map(({ from, to, rss }) => [from, to, rss.count])).toEqual([
      [1, 9, 2],
      [55, 55, 1],
      [100, 100, 1],
    ]);
  });

  it('a window drops older and newer buckets and keeps overlapping ones', () => {
    const shifted = { since: instant(50), until: instant(100) };
    const points = pointsIn([bucket(1), bucket(40, 7, 60), bucket(101)], shifted, 5);
    expect(points.map(({ rss }) => rss.sum)).toEqual([7]);
  });

  it('a window of two sources uses the older source only for the time before the newer one begins', () => {
    const joined = joinBuckets([bucket(1), bucket(10, 1, 22), bucket(30)], [bucket(20, 2), bucket(21, 2)]);
    expect(joined.map(({ from }) => from)).toEqual([1, 20, 21]);
    expect(joinBuckets([bucket(1)], [])).toHaveLength(1);
  });
});
