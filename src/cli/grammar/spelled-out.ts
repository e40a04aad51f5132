// Rewrites the words before `--` so that there is one way to read them: each short option alone, with its
// whole value, and flags with theirs. Without this, yargs would take a value for further letters, and any
// flag value but `true` as no. It would also take a `true` or `false` after a flag as its value.
import { isFlag, LETTERS, OPTION_NAMES } from './options.ts';
import { usageError } from './usage.ts';

const FLAG_WORDS: ReadonlySet<string> = new Set([
  ...OPTION_NAMES.filter(isFlag).map((name) => `--${name}`),
  ...[...LETTERS].flatMap(([letter, valued]) => (valued ? [] : [`-${letter}`])),
]);

const SAID: ReadonlySet<string | undefined> = new Set([undefined, 'true', 'false']);

/** Returns a flag with its value, any other word as is. Throws a usage error if a flag has another value. */
const flagSpelledOut = (word: string): string => {
  const [, name = word, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
  if (!FLAG_WORDS.has(name)) return word;
  if (!SAID.has(value)) throw usageError(`${name} takes no value, and "${value ?? ''}" is one`, name);
  return `${name}=${value ?? 'true'}`;
};

/** Reads `-fn20` as `-f -n=20`, like getopt(3): the first letter with a value takes the rest of the word. */
const lettersApart = (word: string): readonly string[] => {
  const [letter, rest] = [word.slice(1, 2), word.slice(2)];
  const valued = LETTERS.get(letter);
  if (valued === undefined || rest === '') return [word];
  if (valued) return [`-${letter}=${rest.replace(/^=/, '')}`];
  return rest.startsWith('=') ? [word] : [`-${letter}`, ...lettersApart(`-${rest}`)];
};

const isShort = (word: string): boolean => word.startsWith('-') && !word.startsWith('--');

/** Rewrites the words before `--`. Throws a usage error if a flag has another value. */
export const spelledOut = (line: readonly string[]): readonly string[] => {
  const end = line.includes('--') ? line.indexOf('--') : line.length;
  const apart = line.slice(0, end).flatMap((word) => (isShort(word) ? lettersApart(word) : [word]));
  return [...apart.map(flagSpelledOut), ...line.slice(end)];
};
