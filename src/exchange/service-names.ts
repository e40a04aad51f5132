// Makes names of services that a manifest permits: at most 64 letters, digits, `_`, `.` and `-`, not
// beginning with `.` or `-`, and each only once.
const LONGEST = 64;

/** Returns the name with `-` for what is not permitted. */
export const cleanName = (name: string): string =>
  name
    .replaceAll(/[^\w.-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, LONGEST)
    .replace(/^(?:__loose__)?$/, 'service');

/** Returns different names in the same order: one that occurs again gets a number. `longest`: characters. */
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

/** Returns valid and different names in the same order. */
export const cleanNames = (names: readonly string[]): readonly string[] =>
  differentNames(names.map(cleanName), LONGEST);
