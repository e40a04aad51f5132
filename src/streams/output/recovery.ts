// Recovers output after a supervisor was killed: finds out how many bytes the last read had put into the
// buffer, and how much of the last write had reached the log.

/**
 * Returns how many bytes a read has put into the range [from, to), which was filled with the pattern before.
 * A read fills the range from its start, so its bytes end with the last one that differs from the pattern.
 * The pattern has only bytes that never occur in UTF-8, so for text the result is exact. Other output ends
 * with a byte equal to the pattern once in 256 times, and it matters only if the kill comes within
 * microseconds after a read.
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

/** Bytes that never occur in UTF-8 text. */
const NEVER_TEXT = [0xc0, 0xc1, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff] as const;

/**
 * Returns the pattern for a seed: the same bytes in every version, without a short period. It is one simple
 * loop, because each start of a service waits for it.
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
 * Returns the offset from which `lines` must still be appended to the log. `tail` is the log from the place
 * where the write of `lines` began. The kill may have cut this write off after any byte, or have come before
 * it.
 */
export const remainder = (lines: Uint8Array, tail: Uint8Array): number => {
  const common = inCommon(lines, tail);
  return common === lines.length || common === tail.length ? common : 0;
};
