// Merges the samples of ten seconds into buckets for the disk. Each bucket is one line of JSON, so that a
// damaged line does not affect other lines (`docs/metrics.md`, "On disk").
import { concat, filter, map, of, scan, type Observable } from 'rxjs';
import type { ServiceId } from '../domain/ids.ts';
import { instant } from '../domain/time.ts';
import { bucketOf, mergeBuckets, type Bucket, type Spread } from './bucket.ts';
import type { Beat } from './sample.ts';

export type Spilled = readonly [service: ServiceId, bucket: Bucket];

const SPILL_MS = 10_000;

interface Gathering {
  readonly began: number;
  readonly buckets: Map<ServiceId, Bucket>;
  readonly due: readonly Spilled[];
}

const OVER = 'over';

const taken = ({ began, buckets }: Gathering, beat: Beat): Gathering => {
  // A new period also begins if the clock was set back.
  const isOver = beat.at - began >= SPILL_MS || beat.at < began;
  const next = isOver ? new Map<ServiceId, Bucket>() : buckets;
  for (const sample of beat.samples) {
    const present = next.get(sample.service);
    const bucket = bucketOf(beat, sample);
    next.set(sample.service, present === undefined ? bucket : mergeBuckets(present, bucket));
  }
  return { began: isOver ? beat.at : began, buckets: next, due: isOver ? [...buckets] : [] };
};

const gather = (gathering: Gathering, next: Beat | typeof OVER): Gathering =>
  next === OVER ? { ...gathering, due: [...gathering.buckets] } : taken(gathering, next);

/**
 * Emits the buckets of a period of ten seconds when the first samples of the next period arrive. Emits the
 * last buckets when `beat$` completes.
 */
export function spilling(beat$: Observable<Beat>): Observable<readonly Spilled[]> {
  return concat(beat$, of<typeof OVER>(OVER)).pipe(
    scan(gather, { began: -Infinity, buckets: new Map<ServiceId, Bucket>(), due: [] }),
    map(({ due }) => due),
    filter((due) => due.length > 0),
  );
}

const rounded = (amount: number): number => Math.round(amount * 100) / 100;
const numbersOf = ({ count, min, sum, max }: Spread): readonly number[] => [
  count,
  ...[min, sum, max].map(rounded),
];

/** Returns a bucket as a line of JSON with a newline. */
export const spilledLine = ([service, { from, to, cpu, rss }]: Spilled): string =>
  `${JSON.stringify([service, from, to, ...numbersOf(cpu), ...numbersOf(rss)])}\n`;

const isNumbers = (values: readonly unknown[]): values is readonly number[] =>
  values.every((value) => typeof value === 'number' && Number.isFinite(value));

const spreadOf = ([count = 0, min = 0, sum = 0, max = 0]: readonly number[]): Spread => ({
  count,
  min,
  sum,
  max,
});

const FIELDS = 10;

/** Returns the bucket in a line; `undefined` if the line is not valid. */
export const readSpilledLine = (line: string): Spilled | undefined => {
  try {
    const parsed: unknown = JSON.parse(line);
    if (!Array.isArray(parsed)) return undefined;
    const [service, ...rest] = parsed as readonly unknown[];
    const numbers: readonly unknown[] = rest;
    if (typeof service !== 'string' || numbers.length !== FIELDS || !isNumbers(numbers)) return undefined;
    const [from = 0, to = 0] = numbers;
    const bucket = {
      from: instant(from),
      to: instant(to),
      cpu: spreadOf(numbers.slice(2, 6)),
      rss: spreadOf(numbers.slice(6)),
    };
    return [service as ServiceId, bucket];
  } catch {
    return undefined;
  }
};
