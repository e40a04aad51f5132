// Encodes in one number of eight bytes which output a memory region holds, for recovery after the supervisor
// was killed. The number is stored in one step: after a kill the region has the old number or the new one,
// never half of each.

/** Output in the region that was read and is not in the log yet: the bytes from `start` to `end`. */
export interface Content {
  readonly start: number;
  readonly end: number;
  /** True if a read may have put bytes after `end` that `end` does not include yet. */
  readonly listening: boolean;
}

export const EMPTY: Content = { start: 0, end: 0, listening: false };

const END = 2 ** 20;
const LISTENING = 2 ** 40;

/**
 * Returns the content as a whole number that a double holds exactly. `start` and `end` must be less than
 * 2^20.
 */
export const wordOf = ({ start, end, listening }: Content): number =>
  (listening ? LISTENING : 0) + start * END + end;

/** Returns the content that `wordOf` has encoded in this number. */
export const contentOf = (word: number): Content => {
  const place = word % LISTENING;
  return { start: Math.floor(place / END), end: place % END, listening: word >= LISTENING };
};

/**
 * How a piece of output ends in the log: `whole` with its own newline, `part` inside a longer line, `last` at
 * the end of all output.
 */
export const ENDINGS = ['whole', 'part', 'last'] as const;
export type Ending = (typeof ENDINGS)[number];

/** A write to the log that has begun: which content is written, and the size of the log before. */
export interface Write {
  /** The offset in the region at which the content being written ends. */
  readonly cut: number;
  readonly ending: Ending;
  readonly inode: number;
  /** The size of the log before the write, bytes. */
  readonly size: number;
  /** The timestamp of the lines, in microseconds. */
  readonly stamp: number;
}
