// Splits a command line into words, options with values, and the words after `--`, as getopt(3) does: letters
// may share a word (`-fn20`), a value may be attached. `-9` is no option. `check-line.ts` checks the meaning.
import { understand } from './check-line.ts';
import { isCommand, type CommandName } from './command-table.ts';
import { isFlag, isValued, LETTERS } from './option-table.ts';
import type { Parsed, Written } from './parsed-line.ts';
import { usageError } from './usage-error.ts';

type LineReading =
  | { readonly tag: 'parsed'; readonly parsed: Parsed }
  /** The command of the requested help page; `undefined` for the page of the program. */
  | { readonly tag: 'help'; readonly about: CommandName | undefined }
  | { readonly tag: 'version' };

const NUMBER = /^-(?:\d+(?:\.\d+)?|\.\d+)$/;

const isOption = (word: string): boolean => /^-+[^-]/.test(word) && !NUMBER.test(word);

/** Splits a word with several letters: `-fn20` becomes `-f` and `-n20`. */
const lettersApart = (word: string): readonly string[] => {
  const [letter, rest] = [word.slice(1, 2), word.slice(2)];
  const isAlone = rest === '' || rest.startsWith('=') || LETTERS.get(letter) !== false;
  return isAlone ? [word] : [`-${letter}`, ...lettersApart(`-${rest}`)];
};

const isShort = (word: string): boolean => isOption(word) && !word.startsWith('--');

type Kind = 'flag' | 'valued' | 'unknown';

const kindOf = (name: string): Kind => {
  const valued = LETTERS.get(name);
  if (isFlag(name) || valued === false) return 'flag';
  return isValued(name) || valued === true ? 'valued' : 'unknown';
};

interface Option {
  /** The name or letter without dashes, such as `json` or `p`. */
  readonly name: string;
  readonly kind: Kind;
  /** The value in the same word: after `=`, or directly after a letter. */
  readonly attached: string | undefined;
}

const optionIn = (word: string): Option => {
  if (isShort(word)) {
    const [name, rest] = [word.slice(1, 2), word.slice(2)];
    return { name, kind: kindOf(name), attached: rest === '' ? undefined : rest.replace(/^=/, '') };
  }
  const [, name = '', attached] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
  return { name, kind: kindOf(name), attached };
};

/** Returns the value of a flag: true unless `=false` is attached. Throws a usage error for other values. */
const isOn = (word: string, { attached }: Option): boolean => {
  if (attached === undefined || attached === 'true') return true;
  if (attached === 'false') return false;
  const [flag = word] = word.split('=', 1);
  throw usageError(`${flag} takes no value, and "${attached}" is one`, flag);
};

/**
 * Returns the values of the option. `takesNext` is true if the next word is the value. A missing value is
 * refused later.
 */
const valuesOf = (
  { kind, attached }: Option,
  next: string | undefined,
): { readonly values: readonly string[]; readonly takesNext: boolean } => {
  if (attached !== undefined) return { values: [attached], takesNext: false };
  if (next !== undefined && !isOption(next)) return { values: [next], takesNext: true };
  return { values: kind === 'valued' ? [''] : [], takesNext: false };
};

/** Splits the words before `--`. Throws a usage error for a flag with a value. */
const readWords = (line: readonly string[]): Pick<Written, 'words' | 'options'> => {
  const apart = line.flatMap((word) => (isShort(word) ? lettersApart(word) : [word]));
  const words: string[] = [];
  const options = new Map<string, readonly string[]>();
  for (let at = 0; at < apart.length; at += 1) {
    const word = apart[at] ?? '';
    if (!isOption(word)) {
      words.push(word);
      continue;
    }
    const option = optionIn(word);
    const { name, kind } = option;
    if (kind !== 'flag') {
      const { values, takesNext } = valuesOf(option, apart[at + 1]);
      options.set(name, [...(options.get(name) ?? []), ...values]);
      if (takesNext) at += 1;
    } else if (isOn(word, option)) options.set(name, []);
    else options.delete(name);
  }
  return { words, options };
};

/** Parses and checks a command line. Throws a usage error if it is invalid. */
export const readLine = (line: readonly string[]): LineReading => {
  const end = line.indexOf('--');
  const written: Written = {
    ...readWords(end === -1 ? line : line.slice(0, end)),
    ...(end !== -1 && { tail: line.slice(end + 1) }),
  };
  const { words, options } = written;
  const has = (...names: readonly string[]): boolean => names.some((name) => options.has(name));
  if (has('help', 'h')) return { tag: 'help', about: words.slice(0, 1).find(isCommand) };
  if (has('version', 'V')) return { tag: 'version' };
  return { tag: 'parsed', parsed: understand(written) };
};
