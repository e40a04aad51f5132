// Decodes the texts that a terminal sends for keys.
import { concat, filter, map, type Observable, of, scan, switchMap, timeInterval, timer } from 'rxjs';

/** A name such as `up`, or the typed character. */
export type Key = string;

const SEQUENCES: Readonly<Record<string, Key>> = {
  '\u001b[A': 'up',
  '\u001bOA': 'up',
  '\u001b[B': 'down',
  '\u001bOB': 'down',
  '\u001b[C': 'right',
  '\u001bOC': 'right',
  '\u001b[D': 'left',
  '\u001bOD': 'left',
  '\u001b[5~': 'page-up',
  '\u001b[6~': 'page-down',
  '\u001b[H': 'home',
  '\u001bOH': 'home',
  '\u001b[1~': 'home',
  '\u001b[F': 'end',
  '\u001bOF': 'end',
  '\u001b[4~': 'end',
  '\u001b': 'escape',
  '\u0003': 'interrupt',
  '\u001a': 'suspend',
};

// eslint-disable-next-line no-control-regex -- control characters are exactly what terminals send
const TYPED = /\u001b[[O][0-9;]*[A-Za-z~]|[^]/gu;
// eslint-disable-next-line no-control-regex -- as above
const UNFINISHED = /\u001b(?:[[O][0-9;]*)?$/;

/** Splits a typed text into keys. */
const keysIn = (typed: string): readonly Key[] =>
  (typed.match(TYPED) ?? []).map((sequence) => SEQUENCES[sequence] ?? sequence);

/**
 * How long to wait for the rest of an escape sequence, ms. If no more characters arrive, the user has pressed
 * Escape.
 */
const SEQUENCE_MS = 50;

interface Decoded {
  readonly keys: readonly Key[];
  /** The beginning of an escape sequence that is not complete yet. */
  readonly rest: string;
}

const decoded = (text: string): Decoded => {
  const { index = text.length } = UNFINISHED.exec(text) ?? {};
  return { keys: keysIn(text.slice(0, index)), rest: text.slice(index) };
};

/** Emits the keys that a terminal sends. Keys that arrive together are in one list. */
export function typedKeys(typed$: Observable<string>): Observable<readonly Key[]> {
  return typed$.pipe(
    timeInterval(),
    scan((before, { value, interval }) => decoded((interval < SEQUENCE_MS ? before.rest : '') + value), {
      ...{ keys: [], rest: '' },
    } as Decoded),
    switchMap(({ keys, rest }) =>
      rest === '' ? of(keys) : concat(of(keys), timer(SEQUENCE_MS).pipe(map(() => keysIn(rest)))),
    ),
    filter((keys) => keys.length > 0),
  );
}
