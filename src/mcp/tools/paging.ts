// Limits the results of a tool to pages that an agent can read at once, and says how to get the next page.

/** Maximum number of characters of the entries on a page together, as JSON. */
const LARGEST_PAGE = 60_000;

export interface Page<T> {
  readonly shown: readonly T[];
  readonly total: number;
  /** The cursor of the next page; `null` on the last one. */
  readonly next: string | null;
}

/** Returns how many of the first entries fit on a page together, at least 1. */
const fittingOf = (entries: readonly unknown[]): number => {
  let size = 0;
  const fits = entries.findIndex((one) => (size += JSON.stringify(one).length) > LARGEST_PAGE);
  return fits < 0 ? entries.length : Math.max(1, fits);
};

/**
 * Returns a page of the list. It has at most `limit` entries, or fewer if they are large. `cursor` is `next`
 * of the previous page: the number of entries to skip. It was checked together with the other arguments.
 */
export const pageOf = <T>(all: readonly T[], limit: number, cursor = '0'): Page<T> => {
  const from = Number(cursor);
  const wanted = all.slice(from, from + limit);
  const shown = wanted.slice(0, fittingOf(wanted));
  const end = from + shown.length;
  return { shown, total: all.length, next: end < all.length ? String(end) : null };
};

/** Returns the line that says how to get the next page. */
export const nextPageLines = ({ shown, total, next }: Page<unknown>, others: string): readonly string[] =>
  next === null ? [] : [`${shown.length} of ${total} shown; for more: cursor "${next}", or ${others}`];

/** Returns the newest entries of a list, oldest first, with a total size of at most `most`. */
export const newestWithin = <T>(
  all: readonly T[],
  most: number,
  sizeOf: (one: T) => number,
): readonly T[] => {
  let size = 0;
  return all.slice(all.findLastIndex((one) => (size += sizeOf(one)) > most) + 1);
};

/** Returns the newest entries, oldest first, that fit on a page together. */
export const newestPage = <T>(all: readonly T[]): readonly T[] =>
  newestWithin(all, LARGEST_PAGE, (one) => JSON.stringify(one).length);
