// What V8 made of the text of a program when that was built, so that a start need not compile it again (`docs/decisions.md`,
// D-095). It lies beside the program and is only ever written by the build: the data first, then the same once more, then
// the text that it is of. V8 itself looks at the version, the options and the length of the text, and at nothing else: data
// with a wrong bit in it, or of a text of the same length, would be executed.
import { readFileSync } from 'node:fs';

/** Whether a program begins from its code cache, or why not. */
export type CodeCache = 'used' | 'absent' | 'damaged' | 'refused';

const contentOf = (file: string): Buffer | undefined => {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
};

/** To compare takes some 2 ms, a checksum twice that: what computes it, `zlib` or `crypto`, would have to be loaded first. */
export const codeCacheIn = (file: string, text: Buffer): Buffer | 'absent' | 'damaged' => {
  const content = contentOf(file);
  if (content === undefined) return 'absent';
  const half = (content.length - text.length) / 2;
  if (!Number.isInteger(half) || half <= 0) return 'damaged';
  const data = content.subarray(0, half);
  const whole = data.equals(content.subarray(half, 2 * half)) && text.equals(content.subarray(2 * half));
  return whole ? data : 'damaged';
};
