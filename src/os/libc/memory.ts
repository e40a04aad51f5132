// Memory as C sees it: strings that end with a zero byte, vectors of pointers that end with NULL, little-endian words.
// Every machine that Node 20 runs on under Linux is little-endian with 64-bit pointers, but for s390x, which is refused
// by the package that calls C.
import type { Libc } from '../libc.ts';
import { writeWord } from './frame.ts';

const WORD = 8;

/** A text that holds a zero byte would end early in C: what was asked is not what would be done. */
const refuseZero = (text: string): void => {
  if (text.includes('\0')) throw new Error(`${JSON.stringify(text)} holds a zero byte`);
};

export const cString = (text: string): Buffer => {
  refuseZero(text);
  return Buffer.from(`${text}\0`);
};

/** Room for a few hundred variables. */
const BLOCK_BYTES = 32 * 1024;
/** Of a UTF-16 unit in UTF-8. */
const MOST_BYTES = 3;

/** All texts of a call, one after the other in one block whose place is known: nothing is made anew for the next call. */
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

  /** Forgets what lies there, and has room for all of these. */
  begin(texts: readonly string[]): void {
    this.#used = 0;
    const characters = texts.reduce((sum, { length }) => sum + length, 0);
    const most = characters * MOST_BYTES + texts.length * (WORD + 1) + 4 * WORD;
    if (most <= this.#memory.length) return;
    this.#memory = Buffer.alloc(most);
    this.#address = this.#libc.addressOf(this.#memory);
  }

  /** Where it lies: true until the next `begin`. */
  text(text: string): number {
    refuseZero(text);
    const at = this.#used;
    this.#used += this.#memory.write(`${text}\0`, at);
    return this.#address + at;
  }

  /** `char *const argv[]`: where the pointers lie, with NULL behind the last. */
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
    // There are more ends than texts.
    if (at !== this.#used) texts.forEach(refuseZero);
    return this.#address + pointers;
  }
}

/** Unsigned 64-bit words in a row. */
export const words64 = (...values: readonly bigint[]): Buffer => {
  const buffer = Buffer.alloc(values.length * WORD);
  values.forEach((value, index) => buffer.writeBigUInt64LE(value, index * WORD));
  return buffer;
};

/** Unsigned 32-bit words in a row. */
export const words32 = (...values: readonly number[]): Buffer => {
  const buffer = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => buffer.writeUInt32LE(value >>> 0, index * 4));
  return buffer;
};
