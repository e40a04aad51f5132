import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/streams/domain/time.ts';
import { bucketOf, meanOf, mergeBuckets, type Bucket } from '../../../src/streams/metrics/bucket.ts';
import { beat } from './support.ts';

const single = (at: number, rss: number, cpu?: number): Bucket => {
  const made = beat(at, ['web'], { rss, ...(cpu !== undefined && { cpu }) });
  const [sample] = made.samples;
  if (sample === undefined) throw new Error('a beat without a sample');
  return bucketOf(made, sample);
};

describe('a bucket', () => {
  it('of one sample is that sample', () => {
    expect(single(5, 100, 20)).toEqual({
      from: instant(5),
      to: instant(5),
      cpu: { count: 1, min: 20, sum: 20, max: 20 },
      rss: { count: 1, min: 100, sum: 100, max: 100 },
    });
  });

  it('of both keeps what only one of them has measured', () => {
    const both = mergeBuckets(single(1, 10), single(2, 30, 50));
    expect(both.cpu).toEqual({ count: 1, min: 50, sum: 50, max: 50 });
    expect(meanOf(both.rss)).toBe(20);
    expect(meanOf(single(1, 10).cpu)).toBeUndefined();
  });

  it('is the same whatever is merged first', () => {
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
