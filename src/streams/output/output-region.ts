// Encodes which output a memory region holds as one number of eight bytes, for recovery after the supervisor
// died. It is stored at once: after a kill the region has the old number or the new one, never half of each.

/** Output that was read and is not in the log yet: the bytes from `start` to `end`. */
export interface Content {
  readonly start: number;
  readonly end: number;
  /** True if a read may have put bytes after `end` that are not counted in it yet. */
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

/** Returns the content for a number from `wordOf`. */
export const contentOf = (word: number): Content => {
  const place = word % LISTENING;
  return { start: Math.floor(place / END), end: place % END, listening: word >= LISTENING };
};

/**
 * How a piece of output ends in the log: `whole` with its own newline, `part` within a longer line, `last` at
 * the end of the output.
 */
export const ENDINGS = ['whole', 'part', 'last'] as const;
export type Ending = (typeof ENDINGS)[number];

/** A write to the log that has begun: the content it covers, and the log as it was before. */
export interface Write {
  /** The offset in the region where the content being written ends. */
  readonly cut: number;
  readonly ending: Ending;
  readonly inode: number;
  /** The size of the log before the write, bytes. */
  readonly size: number;
  /** The timestamp of the lines, in microseconds. */
  readonly stamp: number;
}
