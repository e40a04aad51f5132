// What stands in front of `--` written so that there is one way to read it: short options one by one, each with all of its
// value, and flags with theirs. Of several letters in one word yargs would take a value for more letters, any value of a
// flag but `true` for no, and the word behind a flag for its value when that is `true` or `false`.
import { isFlag, LETTERS, OPTION_NAMES } from './options.ts';
import { usageError } from './usage.ts';

const FLAG_WORDS: ReadonlySet<string> = new Set([
  ...OPTION_NAMES.filter(isFlag).map((name) => `--${name}`),
  ...[...LETTERS].flatMap(([letter, valued]) => (valued ? [] : [`-${letter}`])),
]);

const SAID: ReadonlySet<string | undefined> = new Set([undefined, 'true', 'false']);

/** A flag with its value, any other word as it is. Throws a usage error for a flag with the value of something else. */
const flagSpelledOut = (word: string): string => {
  const [, name = word, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
  if (!FLAG_WORDS.has(name)) return word;
  if (!SAID.has(value)) throw usageError(`${name} takes no value, and "${value ?? ''}" is one`, name);
  return `${name}=${value ?? 'true'}`;
};

/** `-fn20` is `-f -n=20`, as getopt(3) reads it: the first letter that takes a value takes all that is left of the word. */
const lettersApart = (word: string): readonly string[] => {
  const [letter, rest] = [word.slice(1, 2), word.slice(2)];
  const valued = LETTERS.get(letter);
  if (valued === undefined || rest === '') return [word];
  if (valued) return [`-${letter}=${rest.replace(/^=/, '')}`];
  return rest.startsWith('=') ? [word] : [`-${letter}`, ...lettersApart(`-${rest}`)];
};

const isShort = (word: string): boolean => word.startsWith('-') && !word.startsWith('--');

/** The same line; what stands behind `--` is left alone. Throws a usage error for a flag with the value of something else. */
export const spelledOut = (line: readonly string[]): readonly string[] => {
  const end = line.includes('--') ? line.indexOf('--') : line.length;
  const apart = line.slice(0, end).flatMap((word) => (isShort(word) ? lettersApart(word) : [word]));
  return [...apart.map(flagSpelledOut), ...line.slice(end)];
};
