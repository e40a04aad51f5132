// A byte buffer that grows. All logs share one buffer to build their lines. A stream without a log has a
// buffer for its unfinished line, and each run has a buffer for its last lines.

/** The default of the capacity that stays allocated when a buffer is cleared, bytes. */
const KEPT_CAPACITY = 4 * 1024 * 1024;

const FIRST_CAPACITY = 256;
/** An empty buffer that all instances share, because most of them never get content. */
const NOTHING = Buffer.alloc(0);

export class GrowingBytes {
  #bytes = NOTHING;
  #length = 0;
  readonly #kept: number;

  constructor(kept = KEPT_CAPACITY) {
    this.#kept = kept;
  }

  get length(): number {
    return this.#length;
  }

  append(source: Buffer, start = 0, end = source.length): void {
    const after = this.#length + end - start;
    if (after > this.#bytes.length) this.#grow(after);
    source.copy(this.#bytes, this.#length, start, end);
    this.#length = after;
  }

  /** Appends Latin-1 text, one byte per character. */
  appendLatin1(text: string): void {
    const after = this.#length + text.length;
    if (after > this.#bytes.length) this.#grow(after);
    this.#bytes.write(text, this.#length, 'latin1');
    this.#length = after;
  }

  /** Returns the content, not a copy: the first append after `clear` overwrites it. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > this.#kept) this.#bytes = NOTHING;
  }

  #grow(atLeast: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(atLeast, this.#bytes.length * 2, FIRST_CAPACITY));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
