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
  /** Must not be full. */
  push(bucket: Bucket): void;
  /** Must not be empty. */
  replaceNewest(bucket: Bucket): void;
  /** Takes the oldest out. */
  shift(): Bucket | undefined;
}

const fieldsOf = ({ count, min, sum, max }: Spread): readonly number[] => [count, min, sum, max];

const numbersOf = ({ from, to, cpu, rss }: Bucket): readonly number[] => [
  from,
  to,
  ...fieldsOf(cpu),
  ...fieldsOf(rss),
];

const spreadIn = ([count = 0, min = 0, sum = 0, max = 0]: Float64Array): Spread => ({ count, min, sum, max });

const bucketIn = (numbers: Float64Array): Bucket => ({
  from: instant(numbers[0] ?? 0),
  to: instant(numbers[1] ?? 0),
  cpu: spreadIn(numbers.subarray(2, 6)),
  rss: spreadIn(numbers.subarray(6, 10)),
});

export const ringOf = (capacity: number): Ring => {
  const block = new Float64Array(capacity * FIELDS);
  let [first, length] = [0, 0];
  const place = (index: number): number => ((first + index) % capacity) * FIELDS;
  const at = (index: number): Bucket | undefined =>
    index < 0 || index >= length ? undefined : bucketIn(block.subarray(place(index), place(index) + FIELDS));
  return {
    capacity,
    length: () => length,
    at,
    push: (bucket) => {
      if (length === capacity) throw new RangeError(`the ring of ${capacity} is full`);
      block.set(numbersOf(bucket), place(length));
      length += 1;
    },
    replaceNewest: (bucket) => block.set(numbersOf(bucket), place(length - 1)),
    shift: () => {
      const oldest = at(0);
      if (oldest === undefined) return undefined;
      first = (first + 1) % capacity;
      length -= 1;
      return oldest;
    },
  };
};
