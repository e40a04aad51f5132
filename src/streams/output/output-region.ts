// Encodes which output a memory region holds in one number of eight bytes, stored in one step: after a kill
// the region has the old number or the new one, never half of each.

/** Output that was read and is not in the log yet: the bytes from `start` to `end`. */
export interface Content {
  readonly start: number;
  readonly end: number;
  /** True if a read may have put bytes after `end`. */
  readonly listening: boolean;
}

export const EMPTY: Content = { start: 0, end: 0, listening: false };

const END = 2 ** 20;
const LISTENING = 2 ** 40;

/** Returns the content as a whole number that a double holds; `start` and `end` are below 2^20. */
export const wordOf = ({ start, end, listening }: Content): number =>
  (listening ? LISTENING : 0) + start * END + end;

/** Returns the content that `wordOf` encoded. */
export const contentOf = (word: number): Content => {
  const place = word % LISTENING;
  return { start: Math.floor(place / END), end: place % END, listening: word >= LISTENING };
};

/** How a piece ends in the log: `whole` with a newline, `part` inside a longer line, `last` at the end. */
export const ENDINGS = ['whole', 'part', 'last'] as const;
export type Ending = (typeof ENDINGS)[number];

/** A write to the log that has begun. */
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
