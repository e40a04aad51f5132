// Reads lines from a stream that may carry other data after the lines.
import type { Readable } from 'node:stream';

const NEWLINE = 10;

export interface LineReader {
  /** Resolves to the next line, or to `undefined` at the end. Rejects if a line is too long. */
  readonly next: () => Promise<string | undefined>;
  /**
   * Stops reading lines. Resolves to the bytes that were read from the stream but belong to no returned line.
   */
  readonly leave: () => Promise<Buffer>;
}

/** Returns a reader of the stream's lines. `most`: the maximum length of a line, bytes. */
export const lineReader = (stream: Readable, most: number): LineReader => {
  const chunks: AsyncIterator<Buffer> = stream.iterator({ destroyOnReturn: false });
  let known: Buffer = Buffer.alloc(0);
  const next = async (): Promise<string | undefined> => {
    let searched = 0;
    for (;;) {
      const end = known.indexOf(NEWLINE, searched);
      if (end >= 0) {
        const line = known.subarray(0, end).toString();
        known = known.subarray(end + 1);
        return line;
      }
      if (known.length > most) throw new RangeError(`a line has more than ${most} bytes`);
      searched = known.length;
      const read = await chunks.next();
      if (read.done === true) return undefined;
      known = Buffer.concat([known, read.value]);
    }
  };
  return {
    next,
    leave: async () => {
      await chunks.return?.();
      return known;
    },
  };
};
