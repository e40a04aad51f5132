// "Did you mean …?": the known name that is nearest to a misspelt one.

/** Nobody's name is longer, and nothing longer is worth the comparison. */
const LONGEST = 64;
/** Among more names than this only those that begin alike are looked at: a slip is rarely in the first letter. */
const MANY = 100;
const FURTHEST = 3;

/** The nearest of the known names, when it is near enough to be a slip: a third of the letters wrong is too many. */
export const nearest = (word: string, known: readonly string[]): string | undefined => {
  if (word.length > LONGEST) return undefined;
  const wanted = plain(word);
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  const ranked = candidates(wanted, known)
    .map((name) => ({ name, plain: plain(name) }))
    .filter((candidate) => Math.abs(candidate.plain.length - wanted.length) <= limit)
    .map((candidate) => ({ name: candidate.name, edits: distance(wanted, candidate.plain) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits);
  return ranked[0]?.name;
};

/** The question, when there is one to ask. */
export const didYouMean = (word: string, known: readonly string[]): string | undefined => {
  const near = nearest(word, known);
  return near === undefined ? undefined : `did you mean "${near}"?`;
};

/** Letters' size and what words are parted by make no difference. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_. ]/g, '');

const candidates = (wanted: string, known: readonly string[]): readonly string[] =>
  known.length <= MANY
    ? known
    : known
        .filter(
          (name) => name[0]?.toLowerCase() === wanted[0] && Math.abs(name.length - wanted.length) <= FURTHEST,
        )
        .slice(0, MANY);

/** Edits (insert, delete, replace, swap neighbours) from one word to the other, by rows. */
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
