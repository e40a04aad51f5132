// Makes unique names of services that a manifest permits: at most 64 letters, digits, `_`, `.` and `-`. The
// first character is neither `.` nor `-`.
const LONGEST = 64;

/** Returns the name with `-` in place of characters that are not permitted. */
export const cleanName = (name: string): string =>
  name
    .replaceAll(/[^\w.-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, LONGEST)
    .replace(/^(?:__loose__)?$/, 'service');

/**
 * Returns unique names in the same order. A name that occurs again gets a number. `longest`: the most
 * characters of a name.
 */
export const differentNames = (names: readonly string[], longest: number): readonly string[] => {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let number = 2; taken.has(free); number += 1)
      free = `${name.slice(0, longest - 1 - String(number).length)}-${number}`;
    taken.add(free);
    return free;
  });
};

/** Returns valid and unique names in the same order. */
export const cleanNames = (names: readonly string[]): readonly string[] =>
  differentNames(names.map(cleanName), LONGEST);
