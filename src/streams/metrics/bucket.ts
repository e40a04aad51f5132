// Combines the samples of an interval: how many, and the minimum, sum and maximum of each amount.
import { instant, type Instant } from '../domain/time.ts';
import type { Beat, Sample } from './sample.ts';

/** With `count` 0 nothing was measured, and the other fields are meaningless. */
export interface Spread {
  readonly count: number;
  readonly min: number;
  readonly sum: number;
  readonly max: number;
}

export interface Bucket {
  readonly from: Instant;
  /** The time of its last sample. */
  readonly to: Instant;
  readonly cpu: Spread;
  readonly rss: Spread;
}

const NOTHING: Spread = { count: 0, min: 0, sum: 0, max: 0 };

const spreadOf = (amount: number | undefined): Spread =>
  amount === undefined ? NOTHING : { count: 1, min: amount, sum: amount, max: amount };

/** Returns one sample as a bucket. */
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

/** Returns both as one bucket, with all counts, sums and extremes. The order of the times does not matter. */
export const mergeBuckets = (a: Bucket, b: Bucket): Bucket => ({
  from: instant(Math.min(a.from, b.from)),
  to: instant(Math.max(a.to, b.to)),
  cpu: spreadBoth(a.cpu, b.cpu),
  rss: spreadBoth(a.rss, b.rss),
});

/** Returns the mean; `undefined` if nothing was measured. */
export const meanOf = ({ count, sum }: Spread): number | undefined => (count === 0 ? undefined : sum / count);
