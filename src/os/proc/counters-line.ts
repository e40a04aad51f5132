// What a line of `/proc/<pid>/stat` counts: time and memory. Numbers are taken from the bytes as they stand there: making
// strings of them takes as long as the kernel's own part.
import type { ProcessRef } from '../../streams/domain/service/process.ts';

export interface Counters extends ProcessRef {
  readonly parent: number;
  readonly ownTicks: number;
  /** Of its children that ended and that it has collected. */
  readonly collectedTicks: number;
  readonly rssPages: number;
}

const CLOSING_PARENTHESIS = 41;

const SPACE = 32;

const ZERO = 48;

const NINE = 57;

/** The state is field 3, and the fourth is the first number. */
const FIRST_NUMBER = 4;

export const LAST_WANTED = 24;

/** The numbers from field 4 on; a sign is left out, which none of the wanted ones has. */
const numbersIn = (line: Uint8Array, into: Float64Array): void => {
  let value = 0;
  let field = FIRST_NUMBER;
  for (
    let at = line.lastIndexOf(CLOSING_PARENTHESIS) + 4;
    at < line.length && field <= LAST_WANTED;
    at += 1
  ) {
    const byte = line[at] ?? 0;
    if (byte >= ZERO && byte <= NINE) value = value * 10 + byte - ZERO;
    else if (byte === SPACE) {
      into[field] = value;
      value = 0;
      field += 1;
    }
  }
};

/** One line of the kernel, as counters. */
export const countersIn = (
  pid: number,
  line: Uint8Array,
  numbers = new Float64Array(LAST_WANTED + 1),
): Counters => {
  numbersIn(line, numbers);
  const field = (number: number): number => numbers[number] ?? 0;
  return {
    pid,
    parent: field(4),
    ownTicks: field(14) + field(15),
    collectedTicks: field(16) + field(17),
    startTicks: field(22),
    rssPages: field(24),
  };
};
