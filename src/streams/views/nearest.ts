// Finds the known name that is most similar to a misspelt one, for "did you mean …?".

/** The maximum length of a word that is compared. No known name is longer. */
const LONGEST = 64;
/**
 * The maximum number of names that are compared: more would take too long for a hint. Names with the same
 * first letter as the word are compared first.
 */
const MANY = 100;
const FURTHEST = 3;

/** Returns the most similar known name; `undefined` if more than a third of the letters differ. */
export const nearest = (word: string, known: readonly string[]): string | undefined => {
  if (word.length > LONGEST) return undefined;
  const wanted = plain(word);
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  const ranked = candidates(word, known)
    .filter((name) => name !== word)
    .map((name) => ({ name, plain: plain(name) }))
    .filter((candidate) => Math.abs(candidate.plain.length - wanted.length) <= limit)
    .map((candidate) => ({ name: candidate.name, edits: distance(wanted, candidate.plain) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits);
  return ranked[0]?.name;
};

/** Returns the question "did you mean …?", or `undefined` if no known name is similar. */
export const didYouMean = (word: string, known: readonly string[]): string | undefined => {
  const near = nearest(word, known);
  return near === undefined ? undefined : `did you mean "${near}"?`;
};

/** Returns the name in lower case, without separators. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_. ]/g, '');

const candidates = (word: string, known: readonly string[]): readonly string[] => {
  if (known.length <= MANY) return known;
  const alike = (name: string): boolean => name[0]?.toLowerCase() === word[0]?.toLowerCase();
  const near = known.filter((name) => Math.abs(name.length - word.length) <= FURTHEST);
  const first = near.filter(alike).slice(0, MANY);
  return first.length === MANY ? first : [...first, ...near.filter((name) => !alike(name))].slice(0, MANY);
};

/**
 * Returns the smallest number of edits that turn one word into the other. An edit inserts, deletes or
 * replaces a letter, or swaps two neighbouring letters.
 */
const distance = (from: string, to: string): number => {
  let older: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const cheapest = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (same ? 0 : 1),
        swapped ? at(older, column - 2) + 1 : Infinity,
      );
      current.push(cheapest);
    }
    older = previous;
    previous = current;
  }
  return at(previous, to.length);
};

const at = (row: readonly number[], column: number): number => row[column] ?? Infinity;
