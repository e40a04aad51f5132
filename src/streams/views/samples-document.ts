// The samples of a time window as a document. The samples are merged into a limited number of points.
import { type Bucket, meanOf, pointsIn, type Spread, type Window } from '../metrics/bucket.ts';
import type { PointDocument, SamplesDocument, SpreadDocument } from '../wire/documents/documents.ts';
import { timeText } from './words/time-text.ts';

/**
 * The maximum number of points in a document. It is enough for a chart in a terminal, which has fewer
 * columns.
 */
export const MOST_POINTS = 240;

const rounded = (amount: number): number => Math.round(amount * 10) / 10;

const spreadDocument = (spread: Spread): SpreadDocument | null => {
  const mean = meanOf(spread);
  return mean === undefined
    ? null
    : { min: rounded(spread.min), mean: rounded(mean), max: rounded(spread.max) };
};

const NO_MEMORY: SpreadDocument = { min: 0, mean: 0, max: 0 };

const pointDocument = ({ from, to, cpu, rss }: Bucket): PointDocument => ({
  at: timeText(from),
  until: timeText(to),
  samples: rss.count,
  cpu_percent: spreadDocument(cpu),
  rss_bytes: spreadDocument(rss) ?? NO_MEMORY,
});

/** Returns the samples as at most `MOST_POINTS` points, by merging neighbouring buckets. */
export const samplesDocument = (buckets: readonly Bucket[], window: Window): SamplesDocument => ({
  since: timeText(window.since),
  until: timeText(window.until),
  points: pointsIn(buckets, window, MOST_POINTS).map(pointDocument),
});
