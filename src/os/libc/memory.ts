// Memory as C sees it: strings that end with a zero byte, vectors of pointers that end with NULL, little-endian words.
// Every machine that Node 20 runs on under Linux is little-endian with 64-bit pointers, but for s390x, which is refused
// by the package that calls C.
import type { Libc } from '../libc.ts';
import { writeWord } from './frame.ts';

const WORD = 8;

/** A text that holds a zero byte would end early in C: what was asked is not what would be done. */
const terminated = (text: string): string => {
  if (text.includes('\0')) throw new Error(`${JSON.stringify(text)} holds a zero byte`);
  return `${text}\0`;
};

export const cString = (text: string): Buffer => Buffer.from(terminated(text));

interface Vector {
  readonly pointers: Buffer;
  /** What the pointers lead to: to be referenced as long as they are used. */
  readonly strings: Buffer;
}

/** `char *const argv[]`: one block of texts, so that one address is asked for. */
export const cVector = (libc: Libc, texts: readonly string[]): Vector => {
  const strings = Buffer.from(texts.map(terminated).join(''));
  const pointers = Buffer.alloc((texts.length + 1) * WORD);
  const address = libc.addressOf(strings);
  for (let index = 0, at = 0; index < texts.length; index += 1) {
    writeWord(pointers, index * WORD, address + at);
    at = strings.indexOf(0, at) + 1;
  }
  return { pointers, strings };
};

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
