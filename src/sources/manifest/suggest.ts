// "Did you mean …?": the known name that is nearest to a misspelt one.

const LONGEST = 64;
const MOST = 1000;

/** Edits (insert, delete, replace) between two words, by rows. */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replace = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replace, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
};

const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_. ]/g, '');

/** How many edits are still a slip. */
const furthest = (wanted: string): number => Math.max(1, Math.floor(wanted.length / 3));

/** Of very many names the first that could be meant at all: a hint is not worth more. */
const candidates = (name: string, wanted: string, known: readonly string[]): readonly string[] =>
  known
    .filter((each) => each !== name && Math.abs(plain(each).length - wanted.length) <= furthest(wanted))
    .slice(0, MOST);

/** The nearest of the known names, when it is near enough to be a slip; never the name itself. */
export const nearest = (name: string, known: readonly string[]): string | undefined => {
  if (name.length > LONGEST) return undefined;
  const wanted = plain(name);
  const ranked = candidates(name, wanted, known)
    .map((candidate) => ({ candidate, edits: distance(wanted, plain(candidate)) }))
    .sort((a, b) => a.edits - b.edits)
    .at(0);
  return ranked !== undefined && ranked.edits <= furthest(wanted) ? ranked.candidate : undefined;
};

export const didYouMean = (name: string, known: readonly string[]): string | undefined => {
  const near = nearest(name, known);
  return near === undefined ? undefined : `did you mean "${near}"?`;
};
