// The name somebody probably meant: for "did you mean".

/** Edits (insert, delete, replace, swap neighbours) from one word to the other. */
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

/** `undefined` when none of them is near: a third of the letters wrong is too many. */
export const nearest = (word: string, known: readonly string[]): string | undefined => {
  const limit = Math.max(1, Math.floor(word.length / 3));
  const ranked = known
    .filter((name) => Math.abs(name.length - word.length) <= limit)
    .map((name) => ({ name, edits: distance(word, name) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits);
  return ranked[0]?.name;
};
