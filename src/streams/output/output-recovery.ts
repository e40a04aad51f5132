// Recovers output after a supervisor was killed. These functions find out how many bytes the last read put
// into the buffer, and which part of the last write is in the log.

/**
 * Returns how many bytes a read put into the buffer from `from` to `to`. The buffer was filled with `pattern`
 * before the read, so the read ended at the last byte that differs from `pattern`. If the output is UTF-8
 * text, the result is exact, because the bytes of the pattern never occur in UTF-8.
 */
export const lengthRead = (
  bytes: Uint8Array,
  pattern: Uint8Array,
  { from, to }: { readonly from: number; readonly to: number },
): number => {
  let end = to;
  while (end > from && bytes[end - 1] === pattern[end - 1]) end -= 1;
  return end - from;
};

/** Byte values that never occur in UTF-8 text. */
const NEVER_TEXT = [0xc0, 0xc1, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff] as const;

/**
 * Returns the pattern for a seed. All versions of `sup` make the same pattern. It does not repeat after a few
 * bytes.
 */
export const patternOf = (seed: number, length: number): Uint8Array => {
  const pattern = new Uint8Array(length);
  let state = (seed >>> 0) | 1;
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    pattern[at] = NEVER_TEXT[(state >>> 16) % NEVER_TEXT.length] ?? 0xff;
  }
  return pattern;
};

const inCommon = (one: Uint8Array, other: Uint8Array): number => {
  const length = Math.min(one.length, other.length);
  let at = 0;
  while (at < length && one[at] === other[at]) at += 1;
  return at;
};

/**
 * Returns the offset in `lines` from which they are still missing in the log. `tail`: the part of the log
 * that begins where the interrupted write began.
 */
export const remainder = (lines: Uint8Array, tail: Uint8Array): number => {
  const common = inCommon(lines, tail);
  return common === lines.length || common === tail.length ? common : 0;
};
