// A paragraph with a hanging indent after its head.
import { wrapped } from './wrap.ts';

/** A narrower paragraph would be a column of words. */
const FEWEST_COLUMNS = 20;

/** Puts the text after a head of `head.length` columns (unpainted); further lines are indented as much. */
export const hanging = (head: string, text: string, columns = Infinity): readonly string[] =>
  text
    .trimEnd()
    .split('\n')
    .flatMap((line) => wrapped(line, Math.max(FEWEST_COLUMNS, columns - head.length)))
    .map((line, index) => (index === 0 ? head : ' '.repeat(head.length)) + line);
