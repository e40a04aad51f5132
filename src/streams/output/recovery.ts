// What a supervisor that begins makes of what a killed one left: how far a read got that nobody counted, and how much of a
// write is in the log.

/**
 * How many bytes a read has put into [from, to), which held the pattern before. A read fills from the front, so they end
 * with the last byte that differs. The pattern is made of bytes that no UTF-8 text holds: for text the answer is exact.
 * Other output ends with a byte equal to the pattern once in 256 times, and then only in the microseconds between the
 * end of a read and its being counted.
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

/** Bytes that never stand in UTF-8. */
const NEVER_TEXT = [0xc0, 0xc1, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff] as const;

/** The same for the same seed, in every version, and of no short period. In one plain pass: a start waits for it. */
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
 * From where on `lines` are still to be appended, when `tail` is what the log holds behind the place where their write
 * began: a kill cuts a write off anywhere. A tail that is neither of them nor the beginning of them is somebody else's, and
 * so is the end of the log.
 */
export const remainder = (lines: Uint8Array, tail: Uint8Array): number => {
  const common = inCommon(lines, tail);
  return common === lines.length || common === tail.length ? common : 0;
};
