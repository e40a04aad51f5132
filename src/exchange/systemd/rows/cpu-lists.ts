// Lists of processors in unit files: `0-3 8`, `0,2`.

const HIGHEST = 8191;

/** Returns the numbers of a list of numbers and ranges; `undefined` if it is none. */
export const wholeRanges = (text: string): readonly number[] | undefined => {
  const found = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => {
      const [, from, to = from] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(part) ?? [];
      if (from === undefined || Number(to) > HIGHEST || Number(to) < Number(from)) return undefined;
      return Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => Number(from) + at);
    });
  if (found.length === 0 || found.includes(undefined)) return undefined;
  return [...new Set(found.flatMap((part) => part ?? []))];
};
