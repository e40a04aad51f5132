// Builds memory as C reads it: strings ending with a zero byte, pointer arrays ending with NULL,
// little-endian words (Node 20 runs on 64-bit little-endian machines, except s390x, which ffi-napi does not
// support).
import type { Libc } from './libc.ts';
import { writeWord } from './addon.ts';

const WORD = 8;

/** Throws if the text contains a zero byte, because C would use only the text before that byte. */
const refuseZero = (text: string): void => {
  if (text.includes('\0')) throw new Error(`${JSON.stringify(text)} holds a zero byte`);
};

export const cString = (text: string): Buffer => {
  refuseZero(text);
  return Buffer.from(`${text}\0`);
};

/**
 * The initial size of the block, bytes: enough for a few hundred environment variables. The block grows if
 * needed.
 */
const BLOCK_BYTES = 32 * 1024;
/** Maximum number of UTF-8 bytes for one UTF-16 code unit. */
const MOST_BYTES = 3;

/** Holds all strings of one C call in one block with a known address. The next call reuses the block. */
export class TextBlock {
  readonly #libc: Libc;
  #memory: Buffer;
  #address: number;
  #used = 0;

  constructor(libc: Libc) {
    this.#libc = libc;
    this.#memory = Buffer.alloc(BLOCK_BYTES);
    this.#address = libc.addressOf(this.#memory);
  }

  /** Discards the content. Grows the block if `texts` would not fit. */
  begin(texts: readonly string[]): void {
    this.#used = 0;
    const characters = texts.reduce((sum, { length }) => sum + length, 0);
    const most = characters * MOST_BYTES + texts.length * (WORD + 1) + 4 * WORD;
    if (most <= this.#memory.length) return;
    this.#memory = Buffer.alloc(most);
    this.#address = this.#libc.addressOf(this.#memory);
  }

  /** Writes a text and returns its address, which is valid until the next `begin`. */
  text(text: string): number {
    refuseZero(text);
    const at = this.#used;
    this.#used += this.#memory.write(`${text}\0`, at);
    return this.#address + at;
  }

  /** Writes a `char *const argv[]`, which ends with NULL. Returns its address. */
  vector(texts: readonly string[]): number {
    const pointers = Math.ceil(this.#used / WORD) * WORD;
    const from = pointers + (texts.length + 1) * WORD;
    this.#used = from + (texts.length === 0 ? 0 : this.#memory.write(`${texts.join('\0')}\0`, from));
    let at = from;
    texts.forEach((_, index) => {
      writeWord(this.#memory, pointers + index * WORD, this.#address + at);
      at = this.#memory.indexOf(0, at) + 1;
    });
    writeWord(this.#memory, from - WORD, 0);
    // `at` is the end of the last text, found by its zero byte. If it is not the end of the block, a text
    // contains a zero byte itself, and that text is refused.
    if (at !== this.#used) texts.forEach(refuseZero);
    return this.#address + pointers;
  }
}

/** Returns a Buffer of consecutive unsigned 64-bit words. */
export const words64 = (...values: readonly bigint[]): Buffer => {
  const buffer = Buffer.alloc(values.length * WORD);
  values.forEach((value, index) => buffer.writeBigUInt64LE(value, index * WORD));
  return buffer;
};

/** Returns a Buffer of consecutive unsigned 32-bit words. */
export const words32 = (...values: readonly number[]): Buffer => {
  const buffer = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => buffer.writeUInt32LE(value >>> 0, index * 4));
  return buffer;
};
