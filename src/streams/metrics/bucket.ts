// Samples of a stretch of time as one: how many, and the least, the sum and the most of each amount.
import { instant, type Instant } from '../domain/time.ts';
import type { Beat, Sample } from './sample.ts';

/** `count` 0: nothing was measured, and the rest means nothing. */
export interface Spread {
  readonly count: number;
  readonly min: number;
  readonly sum: number;
  readonly max: number;
}

export interface Bucket {
  readonly from: Instant;
  /** The moment of its last sample. */
  readonly to: Instant;
  readonly cpu: Spread;
  readonly rss: Spread;
}

const NOTHING: Spread = { count: 0, min: 0, sum: 0, max: 0 };

const spreadOf = (amount: number | undefined): Spread =>
  amount === undefined ? NOTHING : { count: 1, min: amount, sum: amount, max: amount };

/** One sample as a bucket. */
export const bucketOf = ({ at }: Pick<Beat, 'at'>, { cpuPercent, rssBytes }: Sample): Bucket => ({
  from: at,
  to: at,
  cpu: spreadOf(cpuPercent),
  rss: spreadOf(rssBytes),
});

const spreadBoth = (a: Spread, b: Spread): Spread => {
  if (a.count === 0) return b;
  if (b.count === 0) return a;
  return {
    count: a.count + b.count,
    min: Math.min(a.min, b.min),
    sum: a.sum + b.sum,
    max: Math.max(a.max, b.max),
  };
};

/** Both as one; counts, sums and extremes are kept. The times may come in either order. */
export const mergeBuckets = (a: Bucket, b: Bucket): Bucket => ({
  from: instant(Math.min(a.from, b.from)),
  to: instant(Math.max(a.to, b.to)),
  cpu: spreadBoth(a.cpu, b.cpu),
  rss: spreadBoth(a.rss, b.rss),
});

/** `undefined`: nothing was measured. */
export const meanOf = ({ count, sum }: Spread): number | undefined => (count === 0 ? undefined : sum / count);
