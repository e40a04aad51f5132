// A piece of memory that output is read into, and the few ways in which it is changed. A test kills between any two.
import { wordOf } from '../../../streams/output/region.ts';

/** Words of a region: `streams/output/region.ts` says what they mean. */
export const WORDS = {
  used: 0,
  content: 1,
  /** Up to where the pattern was laid when reads began. */
  window: 2,
  /** When the content was read, in microseconds. */
  stamp: 3,
  /** The write that has begun: 0, or where its content ends. */
  cut: 4,
  ending: 5,
  inode: 6,
  size: 7,
  writeStamp: 8,
} as const;
export type Word = keyof typeof WORDS;

/** Where the words and the name of the stream are, in front of the bytes. */
export const HEAD = 512;
/** What there always is: a page, less the head. */
export const FIRST_BYTES = 4096 - HEAD;

/** What a region is claimed with: the pattern is laid in its first bytes, and they are read into. */
export const CLAIMED = {
  content: wordOf({ start: 0, end: 0, listening: true }),
  window: FIRST_BYTES,
} as const satisfies Partial<Record<Word, number>>;

/** Bytes for output in one region: an unfinished line twice, a pipe, and a page to read on into. */
export const CAPACITY = 152 * 1024 - HEAD;

export interface Memory {
  /** `CAPACITY` bytes. */
  readonly bytes: Buffer;
  /** What is laid before each read; `undefined` where nothing outlives the process. */
  readonly pattern: Buffer | undefined;
  get(word: Word): number;
  set(word: Word, value: number): void;
  /** Lays the pattern. */
  lay(from: number, to: number): void;
  /** Copies [from, end) to the front, which it does not overlap. */
  toFront(from: number, end: number): void;
  /** Sees to it that bytes before `upTo` can be written; says up to where they can. */
  reserve(upTo: number): number;
  /** Gives back what a flood has taken, but for what is always there. */
  shrink(): void;
  /** Nobody needs it any more. */
  free(): void;
}

/** Where nothing can be mapped, or the disk has no room: gone when the process is. */
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
