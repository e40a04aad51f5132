// Counters in a line of `/proc/<pid>/stat`: time and memory. Numbers are parsed from the bytes: making
// strings of them takes as long as the kernel's own part.
import type { ProcessRef } from '../../streams/domain/service/process.ts';

export interface Counters extends ProcessRef {
  readonly parent: number;
  readonly ownTicks: number;
  /** Ticks of children that ended and that it has reaped. */
  readonly collectedTicks: number;
  readonly rssPages: number;
}

const CLOSING_PARENTHESIS = 41;

const SPACE = 32;

const ZERO = 48;

const NINE = 57;

/** Field 3 is the state; the numbers begin with field 4. */
const FIRST_NUMBER = 4;

export const LAST_WANTED = 24;

/** Parses the numbers from field 4 on. It drops signs, which none of the wanted fields has. */
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

/** The counters in one line of the kernel. */
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
