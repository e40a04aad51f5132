// The memory that output is read into, and the operations on it. It must be consistent if the process dies
// between any two of them, which a test checks.
import { wordOf } from '../../../streams/output/output-region.ts';

/** Index of each word (a number of eight bytes) in a region; see `streams/output/output-region.ts`. */
export const WORDS = {
  used: 0,
  content: 1,
  /** The word at this index is where the pattern ended when the read began. */
  window: 2,
  /** The word at this index is when the output was read, µs. */
  stamp: 3,
  /** Where the output being written to the log ends; 0 if no write is in progress. */
  cut: 4,
  ending: 5,
  inode: 6,
  size: 7,
  writeStamp: 8,
} as const;
export type Word = keyof typeof WORDS;

/** Bytes of a region's head: the words and the name of the stream. Its output follows. */
export const HEAD = 512;
/** Bytes for output that are always allocated: one page without the head. */
export const FIRST_BYTES = 4096 - HEAD;

/** A newly claimed region: it is empty, and a read into its first bytes has begun. */
export const CLAIMED = {
  content: wordOf({ start: 0, end: 0, listening: true }),
  window: FIRST_BYTES,
} as const satisfies Partial<Record<Word, number>>;

/** Bytes for output in a region: two unfinished lines, a full pipe, and one page more. */
export const CAPACITY = 152 * 1024 - HEAD;

export interface Memory {
  /** The `CAPACITY` bytes that hold output. */
  readonly bytes: Buffer;
  /** Shows how far a read came; `undefined` for memory that does not outlive the process. */
  readonly pattern: Buffer | undefined;
  get(word: Word): number;
  set(word: Word, value: number): void;
  /** Writes the pattern into the bytes [from, to). */
  lay(from: number, to: number): void;
  /** Copies the bytes [from, end) to offset 0; they must not overlap. */
  toFront(from: number, end: number): void;
  /** Reserves disk space up to `upTo`. Returns how far the memory can be written. */
  reserve(upTo: number): number;
  /** Frees the memory that a flood of output took, except for `FIRST_BYTES`. */
  shrink(): void;
  /** Marks the region as unused. */
  free(): void;
}

/** Memory that does not outlive the process, if nothing can be mapped or the disk is full. */
export const plainMemory = (): Memory => {
  const bytes = Buffer.allocUnsafeSlow(CAPACITY);
  const words = new Float64Array(Object.keys(WORDS).length);
  return {
    bytes,
    pattern: undefined,
    get: (word) => words[WORDS[word]] ?? 0,
    set: (word, value) => {
      words[WORDS[word]] = value;
    },
    lay: () => undefined,
    toFront: (from, end) => void bytes.copyWithin(0, from, end),
    reserve: (upTo) => upTo,
    shrink: () => undefined,
    free: () => undefined,
  };
};
