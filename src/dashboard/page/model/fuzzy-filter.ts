// Which services a filter finds.
import { fuzzyMatch } from '../../../streams/views/words/fuzzy.ts';
import type { ServiceRow } from '../../page-messages.ts';

/**
 * The shortest word that is searched in reasons, in characters. Shorter words would match too many reasons.
 */
const LEAST_OF_REASON = 3;

const hasWord = (word: string, { id, state, health, reason }: ServiceRow): boolean =>
  id.toLowerCase().includes(word) ||
  state.startsWith(word) ||
  health === word ||
  (word.length >= LEAST_OF_REASON && (reason?.toLowerCase().includes(word) ?? false));

/**
 * Returns the rows that match all words of the filter. A word matches in three ways: the id or the reason
 * contains the word, the state begins with it, or the health equals it. If no row matches, a word also
 * matches an id that contains its letters in the same order.
 */
export const found = (filter: string, rows: readonly ServiceRow[]): readonly ServiceRow[] => {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const exact = rows.filter((row) => words.every((word) => hasWord(word, row)));
  if (exact.length > 0) return exact;
  const isNear = (word: string, row: ServiceRow): boolean =>
    hasWord(word, row) || fuzzyMatch(word, row.id) !== undefined;
  return rows.filter((row) => words.every((word) => isNear(word, row)));
};
