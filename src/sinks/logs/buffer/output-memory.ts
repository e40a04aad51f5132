// The memory that output is read into, and the few operations that change it. It must be consistent if the
// process dies between any two operations; a test checks this.
import { wordOf } from '../../../streams/output/output-region.ts';

/** Index of each word (a number of eight bytes) in a region. See `streams/output/output-region.ts`. */
export const WORDS = {
  used: 0,
  content: 1,
  /** Offset at which the pattern ended when the read began. */
  window: 2,
  /** When the content was read, in microseconds. */
  stamp: 3,
  /**
   * The word at this index is the offset in bytes at which the content being written to the log ends. It is 0
   * if no write is in progress.
   */
  cut: 4,
  ending: 5,
  inode: 6,
  size: 7,
  writeStamp: 8,
} as const;
export type Word = keyof typeof WORDS;

/**
 * Size of the head of a region, in bytes. It has the words and the name of the stream; the output follows.
 */
export const HEAD = 512;
/** Size of the space for output that is always allocated, in bytes: one page without the head. */
export const FIRST_BYTES = 4096 - HEAD;

/**
 * State of a newly claimed region: it is empty, its first bytes hold the pattern, and a read into them has
 * begun.
 */
export const CLAIMED = {
  content: wordOf({ start: 0, end: 0, listening: true }),
  window: FIRST_BYTES,
} as const satisfies Partial<Record<Word, number>>;

/**
 * Size of the space for output in a region, in bytes: two unfinished lines, a full pipe, and one page more.
 */
export const CAPACITY = 152 * 1024 - HEAD;

export interface Memory {
  /** The `CAPACITY` bytes that hold output. */
  readonly bytes: Buffer;
  /** The pattern that shows how far a read came; `undefined` if the memory does not outlive the process. */
  readonly pattern: Buffer | undefined;
  get(word: Word): number;
  set(word: Word, value: number): void;
  /** Writes the pattern into the bytes [from, to). */
  lay(from: number, to: number): void;
  /** Copies the bytes [from, end) to offset 0. Source and target must not overlap. */
  toFront(from: number, end: number): void;
  /** Reserves disk space up to `upTo` and returns how far the memory can be written. */
  reserve(upTo: number): number;
  /** Frees the memory that a flood of output took, except for `FIRST_BYTES`. */
  shrink(): void;
  /** Marks the region as unused, so that another stream can claim it. */
  free(): void;
}

/** Memory that does not outlive the process. Used if nothing can be mapped or the disk is full. */
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
