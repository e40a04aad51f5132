// A stretch of time as a few points: what a chart has columns for, and what a document can carry.
import { instant, type Instant } from '../domain/time.ts';
import { mergeBuckets, type Bucket } from './bucket.ts';

export interface Window {
  readonly since: Instant;
  readonly until: Instant;
}

/** At the most `most` points, of equal length of time, oldest first; where nothing was sampled there is none. */
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

/** Those from before the newer ones begin, then the newer ones: what both tell is told once. */
export const joinBuckets = (older: readonly Bucket[], newer: readonly Bucket[]): readonly Bucket[] => {
  const begin = newer[0]?.from ?? instant(Infinity);
  return [...older.filter(({ to }) => to < begin), ...newer];
};
