// Which words may stand where the cursor is: commands, options, and the names that the running supervisor knows.
import { COMMAND_NAMES, isCommand, optionsOf, type CommandName } from '../grammar/commands.ts';
import { byShort, GLOBAL, isValued, type OptionName } from '../grammar/options.ts';
import { SHELLS } from './script.ts';

/** Names the supervisor knows. */
export interface Names {
  readonly projects: readonly string[];
  /** `project/service`. */
  readonly services: readonly string[];
}

const optionOf = (word: string): string | undefined => {
  if (word.startsWith('--')) return word.slice(2);
  return word.startsWith('-') ? byShort(word.slice(1)) : undefined;
};

const valuesFor = (option: string | undefined, names: Names): readonly string[] | undefined => {
  if (option === 'project') return names.projects;
  if (option === 'service') return names.services;
  return option !== undefined && isValued(option) ? [] : undefined;
};

const written = (options: readonly OptionName[]): readonly string[] => options.map((name) => `--${name}`);

/** What may stand there when no option asks for its value. */
const plainWords = (command: CommandName | undefined, current: string): readonly string[] => {
  if (current.startsWith('-')) return written(command === undefined ? GLOBAL : optionsOf(command));
  if (command === undefined) return COMMAND_NAMES;
  return command === 'completion' ? SHELLS : [];
};

/** `words` ends with the word under the cursor, which may be empty. */
export const completionsOf = (words: readonly string[], names: Names): readonly string[] => {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  if (before.includes('--')) return [];
  const values = valuesFor(optionOf(before.at(-1) ?? ''), names);
  const all = values ?? plainWords(before.find(isCommand), current);
  return all.filter((word) => word.startsWith(current));
};
