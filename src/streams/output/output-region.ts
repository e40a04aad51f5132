// Encodes in one number of eight bytes which part of a memory region contains output. The number is stored in
// one step, so that after a kill the region has the old number or the new number, and never a mixture.

/** The output that was read and is not in the log yet: the bytes of the region from `start` to `end`. */
export interface Content {
  readonly start: number;
  readonly end: number;
  /** True if a read may have put more bytes after `end`. */
  readonly listening: boolean;
}

export const EMPTY: Content = { start: 0, end: 0, listening: false };

const END = 2 ** 20;
const LISTENING = 2 ** 40;

/** Encodes the content in one whole number that a double can hold. `start` and `end` must be below 2^20. */
export const wordOf = ({ start, end, listening }: Content): number =>
  (listening ? LISTENING : 0) + start * END + end;

/** Decodes the number that `wordOf` has made. */
export const contentOf = (word: number): Content => {
  const place = word % LISTENING;
  return { start: Math.floor(place / END), end: place % END, listening: word >= LISTENING };
};

/**
 * Where a written piece of output ends: after a newline (`whole`), inside a line that continues (`part`), or
 * at the end of a line without a newline (`last`).
 */
export const ENDINGS = ['whole', 'part', 'last'] as const;
export type Ending = (typeof ENDINGS)[number];

/** A write to the log, which has begun and is perhaps not complete. */
export interface Write {
  /** The offset in the region at which the written content ends. */
  readonly cut: number;
  readonly ending: Ending;
  readonly inode: number;
  /** The size of the log before the write, bytes. */
  readonly size: number;
  /** The timestamp of the lines, µs since 1970. */
  readonly stamp: number;
}
