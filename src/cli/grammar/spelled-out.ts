// What stands in front of `--` written so that there is one way to read it: yargs takes any value of a flag but `true` for
// no, and the word behind a flag for its value when that is `true` or `false`.
import { isFlag, OPTION_NAMES, factsOf } from './options.ts';
import { usageError } from './usage.ts';

const FLAG_WORDS: ReadonlySet<string> = new Set(
  OPTION_NAMES.filter(isFlag).flatMap((name) => {
    const { short } = factsOf(name);
    return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
  }),
);

const SAID: ReadonlySet<string | undefined> = new Set([undefined, 'true', 'false']);

/** A flag with its value, any other word as it is. Throws a usage error for a flag with the value of something else. */
const flagSpelledOut = (word: string): string => {
  const [, name = word, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
  if (!FLAG_WORDS.has(name)) return word;
  if (!SAID.has(value)) throw usageError(`${name} takes no value, and "${value ?? ''}" is one`, name);
  return `${name}=${value ?? 'true'}`;
};

/** The same line; what stands behind `--` is left alone. */
export const spelledOut = (line: readonly string[]): readonly string[] => {
  const end = line.includes('--') ? line.indexOf('--') : line.length;
  return [...line.slice(0, end).map(flagSpelledOut), ...line.slice(end)];
};
