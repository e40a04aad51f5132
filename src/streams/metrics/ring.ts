// A queue of buckets with a most that it may hold: plain numbers in one block of memory, so that its bytes are known to the
// last one. The block grows with what is in it: most services of a supervisor that has just begun have a few samples.
import { instant } from '../domain/time.ts';
import type { Bucket, Spread } from './bucket.ts';

const FIELDS = 10;
/** What one bucket takes. */
export const BUCKET_BYTES = FIELDS * Float64Array.BYTES_PER_ELEMENT;

export interface Ring {
  /** The most buckets that it may hold. */
  readonly capacity: number;
  length(): number;
  /** Buckets that its memory has room for by now. */
  room(): number;
  /** The oldest is 0. `undefined` beyond the newest. */
  at(index: number): Bucket | undefined;
  /** When its oldest ended; `undefined`: it is empty. */
  oldestEnd(): number | undefined;
  /** Must not be full. */
  push(bucket: Bucket): void;
  /** Must not be empty. */
  replaceNewest(bucket: Bucket): void;
  /** Takes the oldest out. */
  shift(): Bucket | undefined;
}

/** Written number by number: views and lists of numbers would cost more than the samples themselves. */
const write = (block: Float64Array, at: number, { from, to, cpu, rss }: Bucket): void => {
  block[at] = from;
  block[at + 1] = to;
  writeSpread(block, at + 2, cpu);
  writeSpread(block, at + 6, rss);
};

const writeSpread = (block: Float64Array, at: number, { count, min, sum, max }: Spread): void => {
  block[at] = count;
  block[at + 1] = min;
  block[at + 2] = sum;
  block[at + 3] = max;
};

const spreadAt = (block: Float64Array, at: number): Spread => ({
  count: block[at] ?? 0,
  min: block[at + 1] ?? 0,
  sum: block[at + 2] ?? 0,
  max: block[at + 3] ?? 0,
});

const bucketAt = (block: Float64Array, at: number): Bucket => ({
  from: instant(block[at] ?? 0),
  to: instant(block[at + 1] ?? 0),
  cpu: spreadAt(block, at + 2),
  rss: spreadAt(block, at + 6),
});

const FIRST_BUCKETS = 8;

/** Empty, for so many buckets at the most. `push` throws a RangeError when it is full. */
export const ringOf = (capacity: number): Ring => {
  let block = new Float64Array(Math.min(capacity, FIRST_BUCKETS) * FIELDS);
  let [first, length] = [0, 0];
  const room = (): number => block.length / FIELDS;
  const place = (index: number): number => ((first + index) % room()) * FIELDS;
  const at = (index: number): Bucket | undefined =>
    index < 0 || index >= length ? undefined : bucketAt(block, place(index));
  /** The oldest is the first of the new block. */
  const grow = (): void => {
    const larger = new Float64Array(Math.min(capacity, room() * 2) * FIELDS);
    larger.set(block.subarray(place(0)));
    larger.set(block.subarray(0, place(0)), block.length - place(0));
    [block, first] = [larger, 0];
  };
  return {
    capacity,
    length: () => length,
    room,
    at,
    oldestEnd: () => (length === 0 ? undefined : block[place(0) + 1]),
    push: (bucket) => {
      if (length === capacity) throw new RangeError(`the ring of ${capacity} is full`);
      if (length === room()) grow();
      write(block, place(length), bucket);
      length += 1;
    },
    replaceNewest: (bucket) => write(block, place(length - 1), bucket),
    shift: () => {
      const oldest = at(0);
      if (oldest === undefined) return undefined;
      first = (first + 1) % room();
      length -= 1;
      return oldest;
    },
  };
};
