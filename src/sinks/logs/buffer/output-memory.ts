// Memory that output is read into, and the few ways to change it. A test kills the process between any two.
import { wordOf } from '../../../streams/output/region.ts';

/** Words of a region: `streams/output/region.ts` defines them. */
export const WORDS = {
  used: 0,
  content: 1,
  /** End of the pattern when the read began. */
  window: 2,
  /** When the content was read, in microseconds. */
  stamp: 3,
  /** The write in progress: 0, or the end of its content. */
  cut: 4,
  ending: 5,
  inode: 6,
  size: 7,
  writeStamp: 8,
} as const;
export type Word = keyof typeof WORDS;

/** Bytes for the words and the stream's name, before the output. */
export const HEAD = 512;
/** Bytes that are always there: a page, less the head. */
export const FIRST_BYTES = 4096 - HEAD;

/** State of a newly claimed region: its first bytes hold the pattern and are read into. */
export const CLAIMED = {
  content: wordOf({ start: 0, end: 0, listening: true }),
  window: FIRST_BYTES,
} as const satisfies Partial<Record<Word, number>>;

/** Bytes for output in one region: an unfinished line twice, a pipe, and a page to read on into. */
export const CAPACITY = 152 * 1024 - HEAD;

export interface Memory {
  /** `CAPACITY` bytes. */
  readonly bytes: Buffer;
  /** The pattern laid before each read; `undefined` where nothing outlives the process. */
  readonly pattern: Buffer | undefined;
  get(word: Word): number;
  set(word: Word, value: number): void;
  /** Writes the pattern into [from, to). */
  lay(from: number, to: number): void;
  /** Copies [from, end) to the front, which it must not overlap. */
  toFront(from: number, end: number): void;
  /** Reserves disk space up to `upTo`; returns how far it is writable. */
  reserve(upTo: number): number;
  /** Frees the memory of a flood, except for `FIRST_BYTES`. */
  shrink(): void;
  /** Frees the region. */
  free(): void;
}

/** Memory for when nothing can be mapped, or the disk has no room: it ends with the process. */
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
