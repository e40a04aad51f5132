// The memory that output is read into, and the operations on it. If the process dies between any two
// operations, the memory must still be consistent. A test checks this.
import { wordOf } from '../../../streams/output/output-region.ts';

/** The index of each word (a number of eight bytes) in a slot; see `streams/output/output-region.ts`. */
export const WORDS = {
  used: 0,
  content: 1,
  /**
   * The end offset of the window. The window is the bytes that the read in progress may fill. Before the
   * read, they were filled with the pattern.
   */
  window: 2,
  /** The time at which the output was read, µs. */
  stamp: 3,
  /** The end offset of the output that is being written to the log; 0 if no write is in progress. */
  cut: 4,
  ending: 5,
  inode: 6,
  size: 7,
  writeStamp: 8,
} as const;
export type Word = keyof typeof WORDS;

/**
 * The size of the head of a slot, bytes: the words and the name of the stream. The output follows the head.
 */
export const HEAD = 512;
/** The number of bytes for output that are always allocated: the rest of the first page after the head. */
export const FIRST_BYTES = 4096 - HEAD;

/** The words of a newly claimed slot: it is empty, and a read into its first bytes has begun. */
export const CLAIMED = {
  content: wordOf({ start: 0, end: 0, listening: true }),
  window: FIRST_BYTES,
} as const satisfies Partial<Record<Word, number>>;

/**
 * The number of bytes for output in a slot: enough for two unfinished lines, a full pipe, and one page more.
 */
export const CAPACITY = 152 * 1024 - HEAD;

export interface Memory {
  /** The `CAPACITY` bytes that hold output. */
  readonly bytes: Buffer;
  /**
   * The bytes with which the memory is filled before a read. Afterwards they show how much was read.
   * `undefined` for memory that does not outlive the process.
   */
  readonly pattern: Buffer | undefined;
  get(word: Word): number;
  set(word: Word, value: number): void;
  /** Writes the pattern into the bytes [from, to). */
  lay(from: number, to: number): void;
  /** Copies the bytes [from, end) to offset 0. Source and destination must not overlap. */
  toFront(from: number, end: number): void;
  /** Reserves disk space up to the offset `upTo`. Returns the offset up to which writing is possible. */
  reserve(upTo: number): number;
  /** Frees the memory that a burst of output needed, except for `FIRST_BYTES`. */
  shrink(): void;
  /** Marks the slot as unused. */
  free(): void;
}

/** Returns memory that does not outlive the process, for use if mapping is impossible or the disk is full. */
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
