// Parses the plainest command lines: known options in full words, nothing doubtful. All others are left to
// `read-full.ts`. This is only for speed: yargs nearly doubles the start of a short command. A property test
// checks that both read the same.
import { understand } from './check-line.ts';
import { isValued, LETTERS, OPTION_NAMES } from './option-table.ts';
import type { Parsed } from './parsed-line.ts';

interface Reading {
  readonly words: string[];
  readonly options: Map<string, readonly string[]>;
}

/** Every option spelling (`--name`, `-n`) and whether it takes a value. yargs handles help and version. */
const PLAIN: ReadonlyMap<string, { readonly name: string; readonly valued: boolean }> = new Map(
  [
    ...OPTION_NAMES.map((name) => [`--${name}`, { name, valued: isValued(name) }] as const),
    ...[...LETTERS].map(([name, valued]) => [`-${name}`, { name, valued }] as const),
  ].filter(([word]) => !['--help', '-h', '--version', '-V'].includes(word)),
);

const isPlainValue = (word: string): boolean => word !== '' && !word.startsWith('-');

/** Reads one option at the front of `rest`. Returns how many words it took, or 0 if it is not plain. */
const takeOption = ([word = '', value = '']: readonly string[], { options }: Reading): number => {
  const option = PLAIN.get(word);
  if (option === undefined) return 0;
  const { name, valued } = option;
  if (!valued) options.set(name, []);
  else if (isPlainValue(value)) options.set(name, [...(options.get(name) ?? []), value]);
  else return 0;
  return valued ? 2 : 1;
};

const readWords = (line: readonly string[]): Reading | undefined => {
  const reading: Reading = { words: [], options: new Map() };
  for (let at = 0; at < line.length;) {
    const word = line[at] ?? '';
    if (!word.startsWith('-')) {
      reading.words.push(word);
      at += 1;
      continue;
    }
    const taken = takeOption(line.slice(at), reading);
    if (taken === 0) return undefined;
    at += taken;
  }
  return reading;
};

/** Returns the meaning; `undefined` if the line is not plain. Throws a usage error if it makes no sense. */
export const readPlain = (line: readonly string[]): Parsed | undefined => {
  if (line.length === 0 || line.includes('--') || line.includes('')) return undefined;
  const reading = readWords(line);
  return reading === undefined ? undefined : understand(reading);
};
