// Reads the plainest command lines: known options in full words, nothing repeated, nothing doubtful. Whatever else there
// is, it leaves to `read-full.ts`. It is here for speed alone: yargs nearly doubles the start of a short command.
// A property test holds the two to the same reading.
import { isCommand, optionsOf, commandFacts, type CommandName } from './commands.ts';
import { byShort, isFlag, isValued, type Flag, type OptionName, type Valued } from './options.ts';
import type { Parsed } from './parsed.ts';

interface Reading {
  readonly words: string[];
  readonly flags: Set<Flag>;
  readonly values: Partial<Record<Valued, string>>;
}

const named = (word: string): OptionName | undefined => {
  if (/^-[a-z]$/.test(word)) return byShort(word.slice(1));
  const name = word.startsWith('--') ? word.slice(2) : '';
  return isValued(name) || isFlag(name) ? name : undefined;
};

/** Takes one option off the front of `rest`; how many words it took, or 0 when it is not plain. */
const takeOption = (rest: readonly string[], into: Reading): number => {
  const [word = '', value] = rest;
  const option = named(word);
  if (option === undefined) return 0;
  if (!isValued(option)) {
    into.flags.add(option);
    return 1;
  }
  if (value === undefined || value === '' || value.startsWith('-')) return 0;
  if (into.values[option] !== undefined) return 0;
  into.values[option] = value;
  return 2;
};

const readWords = (words: readonly string[]): Reading | undefined => {
  const reading: Reading = { words: [], flags: new Set(), values: {} };
  for (let at = 0; at < words.length;) {
    const word = words[at] ?? '';
    if (!word.startsWith('-')) {
      reading.words.push(word);
      at += 1;
      continue;
    }
    const taken = takeOption(words.slice(at), reading);
    if (taken === 0) return undefined;
    at += taken;
  }
  return reading;
};

/** Whether the command takes all of it; asking for help or the version is no plain command line. */
const fits = (command: CommandName, { words, flags, values }: Reading): boolean => {
  const known: readonly string[] = optionsOf(command).filter((name) => name !== 'help' && name !== 'version');
  const { operand } = commandFacts(command);
  const count = words.length - 1;
  const least = operand?.required === true ? 1 : 0;
  if (count < least || count > (operand === undefined ? 0 : 1)) return false;
  return [...flags, ...Object.keys(values)].every((option) => known.includes(option));
};

/** The reading, or `undefined` when the line is not plain. */
export const readPlain = (line: readonly string[]): Parsed | undefined => {
  if (line.includes('--')) return undefined;
  const reading = readWords(line);
  if (reading === undefined) return undefined;
  const { words, flags, values } = reading;
  const [command = '', operand] = words;
  if (!isCommand(command) || !fits(command, reading)) return undefined;
  return { command, flags, values, tail: [], ...(operand === undefined ? {} : { operand }) };
};
