// Turns what a terminal in raw mode sends into keys.

/** A name such as `up`, or the character itself. */
export type Key = string;

const SEQUENCES: Readonly<Record<string, Key>> = {
  '\u001b[A': 'up',
  '\u001bOA': 'up',
  '\u001b[B': 'down',
  '\u001bOB': 'down',
  '\u001b[5~': 'page-up',
  '\u001b[6~': 'page-down',
  '\u001b[H': 'home',
  '\u001b[1~': 'home',
  '\u001b[F': 'end',
  '\u001b[4~': 'end',
  '\u001b': 'escape',
  '\u0003': 'interrupt',
};

// eslint-disable-next-line no-control-regex -- control characters are exactly what terminals send
const TYPED = /\u001b[[O][0-9;]*[A-Za-z~]|[^]/gu;

/** Returns one key for each that was typed; a single character represents itself. */
export const keysIn = (typed: string): readonly Key[] =>
  (typed.match(TYPED) ?? []).map((sequence) => SEQUENCES[sequence] ?? sequence);
