// Which services a filter finds.
import { fuzzyMatch } from '../../../streams/views/words/fuzzy.ts';
import type { ServiceRow } from '../../page-messages.ts';

/** Shorter words are not searched in reasons, where they would match too often. */
const LEAST_OF_REASON = 3;

const hasWord = (word: string, { id, state, health, reason }: ServiceRow): boolean =>
  id.toLowerCase().includes(word) ||
  state.startsWith(word) ||
  health === word ||
  (word.length >= LEAST_OF_REASON && (reason?.toLowerCase().includes(word) ?? false));

/**
 * Returns the rows with each word of the filter in the id or reason, as the beginning of the state, or as the
 * health. If there are none, a word also counts if the id has its letters in their order.
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
