// V8's compiled code of a program, made by the build, so that a start need not compile the text again
// (D-095). The file lies next to the program and only the build writes it: the data, the
// data again, then the text. V8 itself checks only the version, the options and the length of the text. It
// would execute data with a wrong bit, or data of another text of the same length.
import { readFileSync } from 'node:fs';

/** Whether a program uses its code cache, or why not. */
export type CodeCache = 'used' | 'absent' | 'damaged' | 'refused';

const contentOf = (file: string): Buffer | undefined => {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
};

/** Returns the data if the file is whole. Comparing takes 2 ms; a checksum more, with `zlib` to load. */
export const codeCacheIn = (file: string, text: Buffer): Buffer | 'absent' | 'damaged' => {
  const content = contentOf(file);
  if (content === undefined) return 'absent';
  const half = (content.length - text.length) / 2;
  if (!Number.isInteger(half) || half <= 0) return 'damaged';
  const data = content.subarray(0, half);
  const whole = data.equals(content.subarray(half, 2 * half)) && text.equals(content.subarray(2 * half));
  return whole ? data : 'damaged';
};
