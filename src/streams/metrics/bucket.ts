// A bucket combines the samples of a time interval: their number, and the minimum, sum and maximum of each
// amount. The buckets of a time window are merged into a limited number of points, for a chart or a document.
import { instant, type Instant } from '../domain/time.ts';
import type { Beat, Sample } from './sample.ts';

/** Minimum, sum and maximum of an amount in `count` samples. If `count` is 0, they have no meaning. */
export interface Spread {
  readonly count: number;
  readonly min: number;
  readonly sum: number;
  readonly max: number;
}

export interface Bucket {
  readonly from: Instant;
  /** The time of the last sample in the bucket. */
  readonly to: Instant;
  readonly cpu: Spread;
  readonly rss: Spread;
}

const NOTHING: Spread = { count: 0, min: 0, sum: 0, max: 0 };

const spreadOf = (amount: number | undefined): Spread =>
  amount === undefined ? NOTHING : { count: 1, min: amount, sum: amount, max: amount };

/** Returns a bucket with one sample. */
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

/** Returns one bucket with the samples of both buckets. Either bucket may be the older one. */
export const mergeBuckets = (a: Bucket, b: Bucket): Bucket => ({
  from: instant(Math.min(a.from, b.from)),
  to: instant(Math.max(a.to, b.to)),
  cpu: spreadBoth(a.cpu, b.cpu),
  rss: spreadBoth(a.rss, b.rss),
});

/** Returns the mean of the samples; `undefined` if there are none. */
export const meanOf = ({ count, sum }: Spread): number | undefined => (count === 0 ? undefined : sum / count);

export interface Window {
  readonly since: Instant;
  readonly until: Instant;
}

/**
 * Divides a time window into `most` parts of equal duration, and merges the buckets of each part into one
 * point. Returns the points, oldest first. A part without samples has no point.
 */
export const pointsIn = (
  buckets: readonly Bucket[],
  { since, until }: Window,
  most: number,
): readonly Bucket[] => {
  const length = Math.max(1, until - since) / most;
  const points = new Map<number, Bucket>();
  for (const bucket of buckets) {
    if (bucket.to < since || bucket.from > until) continue;
    const place = Math.min(most - 1, Math.max(0, Math.floor((bucket.from - since) / length)));
    const present = points.get(place);
    points.set(place, present === undefined ? bucket : mergeBuckets(present, bucket));
  }
  return [...points].sort(([a], [b]) => a - b).map(([, bucket]) => bucket);
};

/**
 * Joins the two lists. Leaves out the buckets of `older` that end after the first bucket of `newer` begins.
 */
export const joinBuckets = (older: readonly Bucket[], newer: readonly Bucket[]): readonly Bucket[] => {
  const begin = newer[0]?.from ?? instant(Infinity);
  return [...older.filter(({ to }) => to < begin), ...newer];
};
