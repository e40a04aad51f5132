// Reduces a time window to a few points, for the columns of a chart or the size of a document.
import { instant, type Instant } from '../domain/time.ts';
import { mergeBuckets, type Bucket } from './bucket.ts';

export interface Window {
  readonly since: Instant;
  readonly until: Instant;
}

/** Returns at most `most` points of equal duration, oldest first; no point where nothing was sampled. */
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

/** Returns the older buckets up to the start of the newer ones, then the newer ones, without overlap. */
export const joinBuckets = (older: readonly Bucket[], newer: readonly Bucket[]): readonly Bucket[] => {
  const begin = newer[0]?.from ?? instant(Infinity);
  return [...older.filter(({ to }) => to < begin), ...newer];
};
