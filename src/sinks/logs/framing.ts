// Turns raw output into log lines (streams/wire/log-line.ts), as bytes, with one stamp per chunk. Memory is
// bounded: a line beyond the maximum is written in parts. Of output without a log only the end of a flood is
// framed, since only the last lines are used.
// Rules: `docs/behaviour.md`, "Output", "A line".
import { GrowingBytes } from './growing-bytes.ts';
import type { Stamp } from './log-lines.ts';
import {
  headerOf,
  type LogStream,
  LONGEST_TEXT,
  partHeaderOf,
  STAMP_LENGTH,
} from '../../streams/wire/log-line.ts';

const NEWLINE = 10;
const END_OF_LINE = Buffer.from([NEWLINE]);
/** Capacity that may stay allocated while no line is unfinished. */
const IDLE_CAPACITY = 4096;

/** Bytes of their own: a slice of Node's pool would keep the whole pool alive as long as the stream. */
const ownBytes = (text: string): Buffer => {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
};

/** Where to cut at most `room` bytes off `chunk` from `start` on without splitting a UTF-8 character. */
const cutAt = (chunk: Buffer, start: number, room: number): number => {
  let at = start + room;
  for (let back = 0; back < 3 && at > start && ((chunk[at] ?? 0) & 0xc0) === 0x80; back += 1) at -= 1;
  return at;
};

/** Frames one stream of one service into the given buffer. */
export class Framer {
  readonly #out: GrowingBytes;
  readonly #stamp: Stamp;
  readonly #whole: Buffer;
  readonly #part: Buffer;
  readonly #held = new GrowingBytes(IDLE_CAPACITY);

  constructor(stream: LogStream, ports: { readonly out: GrowingBytes; readonly stamp: Stamp }) {
    this.#out = ports.out;
    this.#stamp = ports.stamp;
    this.#whole = ownBytes(headerOf(stream));
    this.#part = ownBytes(partHeaderOf(stream));
  }

  frame(chunk: Buffer): void {
    this.#restamp();
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#line(chunk, start, end);
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk, start, chunk.length);
  }

  /** Ends the stream: an unterminated last line gets its newline. */
  finish(): void {
    if (this.#held.length === 0) return;
    this.#restamp();
    this.#release(this.#whole);
  }

  #restamp(): void {
    this.#stamp(this.#whole);
    this.#whole.copy(this.#part, 0, 0, STAMP_LENGTH);
  }

  #line(chunk: Buffer, start: number, end: number): void {
    if (this.#held.length > 0 || end - start > LONGEST_TEXT) {
      this.#hold(chunk, start, end);
      this.#release(this.#whole);
      return;
    }
    this.#out.append(this.#whole);
    this.#out.append(chunk, start, end + 1);
  }

  #hold(chunk: Buffer, from: number, end: number): void {
    let start = from;
    while (this.#held.length + end - start > LONGEST_TEXT) {
      const cut = cutAt(chunk, start, LONGEST_TEXT - this.#held.length);
      this.#held.append(chunk, start, cut);
      this.#release(this.#part);
      start = cut;
    }
    this.#held.append(chunk, start, end);
  }

  #release(header: Buffer): void {
    this.#out.append(header);
    this.#out.append(this.#held.view());
    this.#out.append(END_OF_LINE);
    this.#held.clear();
  }
}

const LINES = 41;

/** Where the last lines of a chunk begin; 0 if it has no others. */
const startOfEnd = (chunk: Buffer): number => {
  let at = chunk.length;
  for (let found = 0; found < LINES && at > 0; found += 1) at = chunk.lastIndexOf(NEWLINE, at - 1);
  return at <= 0 ? 0 : at + 1;
};

export type Framing = Pick<Framer, 'frame' | 'finish'>;

/** A framer that frames only the end of each chunk. */
export const endOnly = (framer: Framer): Framing => ({
  frame: (chunk) => {
    const start = startOfEnd(chunk);
    // The unfinished line ended in the part that is skipped.
    if (start > 0) framer.finish();
    framer.frame(chunk.subarray(start));
  },
  finish: () => framer.finish(),
});
