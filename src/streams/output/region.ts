// Words that describe which output a piece of memory holds after its supervisor died. Each is one store of
// eight bytes: a kill leaves the old value or the new one, never half of one.

/** What has been read and is not in the log yet: the bytes from `start` to `end`. */
export interface Content {
  readonly start: number;
  readonly end: number;
  /** True if reads may have put bytes after `end` that are not counted yet. */
  readonly listening: boolean;
}

export const EMPTY: Content = { start: 0, end: 0, listening: false };

const END = 2 ** 20;
const LISTENING = 2 ** 40;

/** Returns a whole number that a double holds exactly. `start` and `end` are less than 2^20. */
export const wordOf = ({ start, end, listening }: Content): number =>
  (listening ? LISTENING : 0) + start * END + end;

/** Returns the content from which `wordOf` made the word. */
export const contentOf = (word: number): Content => {
  const place = word % LISTENING;
  return { start: Math.floor(place / END), end: place % END, listening: word >= LISTENING };
};

/**
 * How a piece of output ends in the log: with its own newline, as part of a longer line, or at the end of the
 * output.
 */
export const ENDINGS = ['whole', 'part', 'last'] as const;
export type Ending = (typeof ENDINGS)[number];

/** A write that has begun: the content it covers, and the log as it was before. */
export interface Write {
  /** Offset in the region where the content being written ends. */
  readonly cut: number;
  readonly ending: Ending;
  readonly inode: number;
  /** Bytes in the log. */
  readonly size: number;
  /** The timestamp of its lines, in microseconds. */
  readonly stamp: number;
}
