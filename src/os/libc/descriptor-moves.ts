// The order in which a new process takes its descriptors, so that none is lost.

type Move = readonly [from: number, to: number];

/** A descriptor that would be overwritten before its turn is first moved to a free number. */
export const movesOf = (descriptors: readonly number[]): readonly Move[] => {
  const inTheWay = descriptors.some((from, to) => from < descriptors.length && from !== to);
  if (!inTheWay) return descriptors.map((from, to) => [from, to]);
  const free = Math.max(descriptors.length, ...descriptors.map((from) => from + 1));
  return [
    ...descriptors.map((from, at): Move => [from, free + at]),
    ...descriptors.map((_from, to): Move => [free + to, to]),
  ];
};
