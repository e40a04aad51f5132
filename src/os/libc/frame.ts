// The frame of one C call: a little-endian word for each argument and for the result, and the addresses of
// the argument words, which libffi takes.
const WORD = 8;

type CValue = number | Buffer | null;
type AddressOf = (buffer: Buffer) => number;

export interface Frame {
  readonly words: Buffer;
  /** The address of each word. */
  readonly places: Buffer;
  readonly result: Buffer;
}

/** Writes a signed or unsigned 64-bit word of which at most 53 bits are used. */
export const writeWord = (buffer: Buffer, at: number, value: number): void => {
  buffer.writeUInt32LE(value >>> 0, at);
  buffer.writeInt32LE(Math.floor(value / 2 ** 32) | 0, at + 4);
};

export const frameFor = (count: number, addressOf: AddressOf): Frame => {
  const words = Buffer.alloc(Math.max(1, count) * WORD);
  const places = Buffer.alloc(words.length);
  const base = addressOf(words);
  for (let at = 0; at < count; at += 1) writeWord(places, at * WORD, base + at * WORD);
  return { words, places, result: Buffer.alloc(WORD) };
};

/** Passes Buffers by address: the caller must hold them until the call returns. */
export const fillFrame = ({ words }: Frame, args: readonly CValue[], addressOf: AddressOf): void => {
  args.forEach((arg, at) => {
    if (typeof arg === 'number') writeWord(words, at * WORD, arg);
    else writeWord(words, at * WORD, arg === null ? 0 : addressOf(arg));
  });
};

export const answerIn = ({ result }: Frame, type: 'int' | 'long' | 'void'): number => {
  if (type === 'void') return 0;
  return type === 'int' ? result.readInt32LE(0) : Number(result.readBigInt64LE(0));
};
