import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/streams/domain/time.ts';
import type { Bucket } from '../../../src/streams/metrics/bucket.ts';
import { BUCKET_BYTES, Ring } from '../../../src/streams/metrics/ring.ts';

const bucket = (at: number): Bucket => ({
  from: instant(at),
  to: instant(at + 1),
  cpu: { count: 0, min: 0, sum: 0, max: 0 },
  rss: { count: 2, min: at, sum: 2 * at + 0.5, max: at + 0.5 },
});

describe('a ring buffer', () => {
  it('a ring returns its entries oldest first, also after it wraps', () => {
    const ring = new Ring(3);
    for (let at = 0; at < 20; at += 1) {
      if (ring.length === ring.capacity) expect(ring.shift()).toEqual(bucket(at - 3));
      ring.push(bucket(at));
    }
    expect([ring.at(0), ring.at(1), ring.at(2), ring.at(3)]).toEqual([
      bucket(17),
      bucket(18),
      bucket(19),
      undefined,
    ]);
  });

  it.each([1, 7, 8, 9, 100])(
    'a ring with a capacity of %i allocates memory as it fills, and keeps its order',
    (capacity) => {
      const ring = new Ring(capacity);
      const begun = ring.room;
      expect(begun).toBeLessThanOrEqual(8);
      // Entries are removed while others are added, so that the first entry is anywhere in the block when
      // the block grows.
      let oldest = 0;
      for (let at = 0; at < 3 * capacity; at += 1) {
        if (ring.length === capacity || at % 5 === 4) {
          expect(ring.shift()).toEqual(bucket(oldest));
          oldest += 1;
        }
        ring.push(bucket(at));
        expect(ring.length).toBeLessThanOrEqual(ring.room);
        expect(ring.room).toBeLessThanOrEqual(capacity);
        expect(ring.at(0)).toEqual(bucket(oldest));
        expect(ring.at(ring.length - 1)).toEqual(bucket(at));
      }
      expect(ring.room).toBe(capacity);
    },
  );

  it('a ring can replace its newest entry', () => {
    const ring = new Ring(2);
    for (const at of [1, 2]) ring.push(bucket(at));
    ring.replaceNewest(bucket(9));
    expect([ring.at(0), ring.at(1), ring.length]).toEqual([bucket(1), bucket(9), 2]);
  });

  it('a ring is empty at first and after it is cleared', () => {
    const ring = new Ring(1);
    expect(ring.shift()).toBeUndefined();
    ring.push(bucket(1));
    ring.shift();
    expect([ring.length, ring.at(0)]).toEqual([0, undefined]);
  });

  it('a ring does not exceed its capacity', () => {
    const ring = new Ring(1);
    ring.push(bucket(1));
    expect(() => ring.push(bucket(2))).toThrow(RangeError);
    expect(BUCKET_BYTES).toBe(80);
  });
});
