// Repeats a measurement several times, one after the other.

export const repeat = async <T>(
  times: number,
  measure: (round: number) => Promise<T>,
): Promise<readonly T[]> => {
  const results: T[] = [];
  for (let round = 0; round < times; round += 1) results.push(await measure(round));
  return results;
};
