// A paragraph behind its head, which stands out to the left.
import { wrapped } from './wrap.ts';

/** Fewer would be a column of words. */
const FEWEST_COLUMNS = 20;

/** Behind a head of `head.length` columns, unpainted; what does not fit, and further lines, go on under its beginning. */
export const hanging = (head: string, text: string, columns = Infinity): readonly string[] =>
  text
    .trimEnd()
    .split('\n')
    .flatMap((line) => wrapped(line, Math.max(FEWEST_COLUMNS, columns - head.length)))
    .map((line, index) => (index === 0 ? head : ' '.repeat(head.length)) + line);
