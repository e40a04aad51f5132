// Lists names in a sentence: all of them, or the first few and a count of the rest.

/**
 * Returns the names joined with commas. If there are more than `most`, only the first ones are listed: `a, b
 * and 3 more`.
 */
export const listedText = (names: readonly (string | number)[], most: number): string => {
  const more = names.length - most;
  return more > 0 ? `${names.slice(0, most).join(', ')} and ${more} more` : names.join(', ');
};
