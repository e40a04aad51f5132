// Which words may stand where the cursor is: commands, options, and the names that the running supervisor knows.
import { COMMAND_NAMES, commandFacts, isCommand, optionsOf, type CommandName } from '../grammar/commands.ts';
import { factsOf, GLOBAL, isValued, OPTION_NAMES, type OptionName } from '../grammar/options.ts';
import { SHELLS } from './script.ts';

/** Those that people send. */
const SIGNALS: readonly string[] = [
  'HUP',
  'INT',
  'TERM',
  'KILL',
  'QUIT',
  'USR1',
  'USR2',
  'STOP',
  'CONT',
  'WINCH',
];

/** Names the supervisor knows. */
export interface Names {
  readonly projects: readonly string[];
  /** `project/service`. */
  readonly services: readonly string[];
}

/** The option that a word is, for that command or, as long as there is none, for any. */
const optionOf = (word: string, command: CommandName | undefined): OptionName | undefined => {
  const known = command === undefined ? OPTION_NAMES : optionsOf(command);
  return known.find((name) => word === `--${name}` || word === `-${factsOf(name).short ?? ''}`);
};

const valuesFor = (option: OptionName | undefined, names: Names): readonly string[] | undefined => {
  if (option === 'project') return names.projects;
  if (option === 'service') return names.services;
  if (option === 'signal') return SIGNALS;
  return option !== undefined && isValued(option) ? [] : undefined;
};

const written = (options: readonly OptionName[]): readonly string[] => options.map((name) => `--${name}`);

/** What may stand behind the command. */
const operandsOf = (command: CommandName, names: Names): readonly string[] => {
  switch (commandFacts(command).operand?.name) {
    case 'service':
      return names.services;
    case 'shell':
      return SHELLS;
    case 'command':
      return COMMAND_NAMES;
    default:
      return [];
  }
};

/** `words` ends with the word under the cursor, which may be empty. */
export const completionsOf = (words: readonly string[], names: Names): readonly string[] => {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  if (before.includes('--')) return [];
  const command = before.find(isCommand);
  const values = valuesFor(optionOf(before.at(-1) ?? '', command), names);
  const plain = command === undefined ? COMMAND_NAMES : operandsOf(command, names);
  const options = written(command === undefined ? GLOBAL : optionsOf(command));
  const all = values ?? (current.startsWith('-') ? options : plain);
  return all.filter((word) => word.startsWith(current));
};
