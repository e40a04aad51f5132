// A bounded queue of buckets (combined samples). It stores them as plain numbers in one block of memory, so
// that its size is known. The block grows with the number of buckets.
import { instant } from '../domain/time.ts';
import type { Bucket, Spread } from './bucket.ts';

const FIELDS = 10;
export const BUCKET_BYTES = FIELDS * Float64Array.BYTES_PER_ELEMENT;

/**
 * Writes a bucket into the block number by number. A temporary array would use more memory than the bucket.
 */
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
const NOTHING = new Float64Array();

/** A queue of at most `capacity` buckets. It is empty at first. */
export class Ring {
  readonly capacity: number;
  #block = NOTHING;
  #first = 0;
  #length = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  get length(): number {
    return this.#length;
  }

  /** The number of buckets that fit into the allocated memory. */
  get room(): number {
    return this.#block.length / FIELDS;
  }

  /** The time at which the oldest bucket ended; `undefined` if the queue is empty. */
  get oldestEnd(): number | undefined {
    return this.#length === 0 ? undefined : this.#block[this.#place(0) + 1];
  }

  /** Returns the bucket at this index. Index 0 is the oldest bucket. */
  at(index: number): Bucket | undefined {
    return index < 0 || index >= this.#length ? undefined : bucketAt(this.#block, this.#place(index));
  }

  /** Appends a bucket. Throws a RangeError if the ring is full. */
  push(bucket: Bucket): void {
    if (this.#length === this.capacity) throw new RangeError(`the ring of ${this.capacity} is full`);
    if (this.#length === this.room) this.#grow();
    write(this.#block, this.#place(this.#length), bucket);
    this.#length += 1;
  }

  /** Replaces the newest bucket. The ring must not be empty. */
  replaceNewest(bucket: Bucket): void {
    write(this.#block, this.#place(this.#length - 1), bucket);
  }

  /** Removes and returns the oldest bucket. */
  shift(): Bucket | undefined {
    const oldest = this.at(0);
    if (oldest === undefined) return undefined;
    this.#first = (this.#first + 1) % this.room;
    this.#length -= 1;
    return oldest;
  }

  #place(index: number): number {
    return ((this.#first + index) % this.room) * FIELDS;
  }

  /**
   * Replaces the block by a block of double size, at most the capacity. The new block begins with the oldest
   * bucket.
   */
  #grow(): void {
    const [before, oldest] = [this.#block, this.#first * FIELDS];
    const room = Math.max(FIRST_BUCKETS, this.room * 2);
    this.#block = new Float64Array(Math.min(this.capacity, room) * FIELDS);
    this.#block.set(before.subarray(oldest));
    this.#block.set(before.subarray(0, oldest), before.length - oldest);
    this.#first = 0;
  }
}
