// The fuzzy filter: a name matches if it contains the typed letters in the typed order. Upper and lower case
// are not distinguished.

/** A match of a name: a score that is higher for a better match, and the positions of the matched letters. */
export interface FuzzyMatch {
  readonly score: number;
  readonly places: readonly number[];
}

/**
 * A linked list of matched letters: the last letter is at `place`, and the letters before it are in `before`.
 */
interface Trail {
  readonly score: number;
  readonly place: number;
  readonly before: Trail | undefined;
}

const NEXT_TO = 4;
const BEGINS_WORD = 3;
const WORD_BEGINS_AFTER = /[^a-z0-9]/;

const better = (one: Trail | undefined, other: Trail | undefined): Trail | undefined =>
  other === undefined || (one !== undefined && one.score >= other.score) ? one : other;

const bonusAt = (name: string, place: number): number =>
  place === 0 || WORD_BEGINS_AFTER.test(name.charAt(place - 1)) ? BEGINS_WORD : 0;

interface Joint {
  readonly score: number;
  readonly before: Trail;
}

/** Returns the better way to add the next letter: directly after the last matched letter, or after a gap. */
const joint = (adjacent: Trail | undefined, earlier: Trail | undefined): Joint | undefined => {
  if (adjacent !== undefined && adjacent.score + NEXT_TO >= (earlier?.score ?? 0))
    return { score: adjacent.score + NEXT_TO, before: adjacent };
  return earlier && { score: earlier.score, before: earlier };
};

/** Adds one letter to the trails. Returns, for each position in the name, the best trail that ends there. */
const extended = (
  trails: readonly (Trail | undefined)[],
  letter: string,
  name: string,
): readonly (Trail | undefined)[] => {
  // The best trail that ends before the previous position.
  let earlier: Trail | undefined;
  return Array.from(name, (other, place) => {
    const joined = joint(trails[place - 1], earlier);
    earlier = better(earlier, trails[place - 1]);
    if (joined === undefined || other !== letter) return undefined;
    return { score: joined.score + bonusAt(name, place), place, before: joined.before };
  });
};

const beginnings = (letter: string, name: string): readonly (Trail | undefined)[] =>
  Array.from(name, (other, place) =>
    other === letter ? { score: bonusAt(name, place), place, before: undefined } : undefined,
  );

const placesOf = (trail: Trail | undefined): readonly number[] => {
  const places: number[] = [];
  for (let at = trail; at !== undefined; at = at.before) places.unshift(at.place);
  return places;
};

/**
 * Returns how well the text matches; `undefined` if it does not have these letters in this order. If two
 * texts match equally well, the shorter text scores higher.
 */
export const fuzzyMatch = (letters: string, text: string): FuzzyMatch | undefined => {
  const name = text.toLowerCase();
  const [first, ...others] = letters.toLowerCase();
  if (first === undefined) return { score: 0, places: [] };
  const trails = others.reduce<readonly (Trail | undefined)[]>(
    (before, letter) => extended(before, letter, name),
    beginnings(first, name),
  );
  const best = trails.reduce<Trail | undefined>(better, undefined);
  return best && { score: best.score - text.length / 100, places: placesOf(best) };
};
