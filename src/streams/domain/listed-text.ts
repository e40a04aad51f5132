/** Returns the names joined with commas, at most `most` of them: `a, b and 3 more`. */
export const listedText = (names: readonly (string | number)[], most: number): string => {
  const more = names.length - most;
  return more > 0 ? `${names.slice(0, most).join(', ')} and ${more} more` : names.join(', ');
};
