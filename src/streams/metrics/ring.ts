// A queue of buckets of fixed size: plain numbers in one block of memory, so that its bytes are known to the last one.
import { instant } from '../domain/time.ts';
import type { Bucket, Spread } from './bucket.ts';

const FIELDS = 10;
/** What one bucket takes. */
export const BUCKET_BYTES = FIELDS * Float64Array.BYTES_PER_ELEMENT;

export interface Ring {
  readonly capacity: number;
  length(): number;
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

/** Empty, for so many buckets; its whole memory is taken at once. `push` throws a RangeError when it is full. */
export const ringOf = (capacity: number): Ring => {
  const block = new Float64Array(capacity * FIELDS);
  let [first, length] = [0, 0];
  const place = (index: number): number => ((first + index) % capacity) * FIELDS;
  const at = (index: number): Bucket | undefined =>
    index < 0 || index >= length ? undefined : bucketAt(block, place(index));
  return {
    capacity,
    length: () => length,
    at,
    oldestEnd: () => (length === 0 ? undefined : block[place(0) + 1]),
    push: (bucket) => {
      if (length === capacity) throw new RangeError(`the ring of ${capacity} is full`);
      write(block, place(length), bucket);
      length += 1;
    },
    replaceNewest: (bucket) => write(block, place(length - 1), bucket),
    shift: () => {
      const oldest = at(0);
      if (oldest === undefined) return undefined;
      first = (first + 1) % capacity;
      length -= 1;
      return oldest;
    },
  };
};
