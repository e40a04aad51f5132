// The words that say, of a piece of memory that outlives the supervisor, what of its output is in it. Each is one store
// of eight bytes: a kill finds the old value or the new one, never half of one.

/** What has been read and is not in the log yet: the bytes from `start` to `end`. */
export interface Content {
  readonly start: number;
  readonly end: number;
  /** Reads may have put bytes behind `end` that nobody has counted. */
  readonly listening: boolean;
}

export const EMPTY: Content = { start: 0, end: 0, listening: false };

const END = 2 ** 20;
const LISTENING = 2 ** 40;

/** `start` and `end` are less than 2^20; the word is a whole number that a double holds exactly. */
export const wordOf = ({ start, end, listening }: Content): number =>
  (listening ? LISTENING : 0) + start * END + end;

/** What `wordOf` made a word of. */
export const contentOf = (word: number): Content => {
  const place = word % LISTENING;
  return { start: Math.floor(place / END), end: place % END, listening: word >= LISTENING };
};

/** How a piece of output ends in the log: with its own newline, as a part of a line that goes on, or for want of more. */
export const ENDINGS = ['whole', 'part', 'last'] as const;
export type Ending = (typeof ENDINGS)[number];

/** A write that has begun: what of the content it holds, and the log as it was before. */
export interface Write {
  /** Where in the region the content ends that is being written. */
  readonly cut: number;
  readonly ending: Ending;
  readonly inode: number;
  /** Bytes in the log. */
  readonly size: number;
  /** The moment its lines are stamped with, in microseconds. */
  readonly stamp: number;
}
