// Reads any command line with yargs, makes the help pages, and says what is wrong with a line that makes no
// sense.
import yargs, { type Argv, type Options } from 'yargs';
import { Parser } from 'yargs/helpers';
import { understand } from './check-line.ts';
import type { OperandFacts } from './command-facts.ts';
import { COMMAND_NAMES, commandFacts, type CommandName, isCommand, optionsOf } from './command-table.ts';
import { factsOf, GLOBAL, isFlag, isValued, LETTERS, OPTION_NAMES, type OptionName } from './option-table.ts';
import type { Parsed, Written } from './parsed-line.ts';
import { usageError } from './usage-error.ts';

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
const spelledOut = (line: readonly string[]): readonly string[] => {
  const end = line.includes('--') ? line.indexOf('--') : line.length;
  const apart = line.slice(0, end).flatMap((word) => (isShort(word) ? lettersApart(word) : [word]));
  return [...apart.map(flagSpelledOut), ...line.slice(end)];
};

type FullReading =
  | { readonly tag: 'parsed'; readonly parsed: Parsed }
  | { readonly tag: 'help'; readonly text: string }
  | { readonly tag: 'version' };

const optionFor = (name: OptionName): Options => {
  const { short, value, describe } = factsOf(name);
  return {
    describe,
    type: value === undefined ? 'boolean' : 'string',
    ...(short === undefined ? {} : { alias: short }),
  };
};

const withOptions = (parser: Argv, names: readonly OptionName[]): Argv =>
  names.reduce((built, name) => built.option(name, optionFor(name)), parser);

/** Returns a yargs that prints nothing and does not exit the process. */
const bare = (): Argv =>
  yargs([]).scriptName('sup').detectLocale(false).version(false).help(false).exitProcess(false);

const operandText = ({ name, required = false, several = false }: OperandFacts): string =>
  `${required ? `<${name}>` : `[${name}]`}${several ? '…' : ''}`;

const usageOf = (name: CommandName): string => {
  const { operand, tail = false } = commandFacts(name);
  return `sup ${name}${operand === undefined ? '' : ` ${operandText(operand)}`} [options]${tail ? ' [-- command…]' : ''}`;
};

/** Describes the words after the command. */
const operandOf = (name: CommandName): string => {
  const { operand } = commandFacts(name);
  return operand === undefined ? '' : `\n\n${operandText(operand)}  ${operand.describe}`;
};

const examplesOf = (name: CommandName): string =>
  ['Examples:', ...commandFacts(name).examples.map(([line, meaning]) => `  ${line}\n      ${meaning}`)].join(
    '\n',
  );

/** Returns the help page of a command, or of the program. */
export const helpPage = async (command: CommandName | undefined, columns: number): Promise<string> => {
  const page = bare().wrap(Math.min(columns, 100));
  if (command !== undefined)
    return withOptions(page, optionsOf(command))
      .usage(`${usageOf(command)}\n\n${commandFacts(command).summary}${operandOf(command)}`)
      .epilog(examplesOf(command))
      .getHelp();
  return COMMAND_NAMES.reduce(
    (parser, name) => parser.command(name, commandFacts(name).summary),
    withOptions(page, GLOBAL),
  )
    .usage('sup <command> [options]\n\nA process supervisor: services declared in YAML, kept running.')
    .epilog('sup <command> --help shows the options and examples of a command.')
    .getHelp();
};

const PARSER_CONFIGURATION = {
  'populate--': true,
  'camel-case-expansion': false,
  'boolean-negation': false,
  'dot-notation': false,
  'parse-numbers': false,
  'parse-positional-numbers': false,
  'strip-aliased': true,
};

/**
 * Declares every option and letter for every command, so that a command may come before or after them. Full
 * yargs would look each name up among the members of every object, and fail at `--constructor`.
 */
const parse = (line: readonly string[]): Readonly<Record<string, unknown>> => {
  const letters = [...LETTERS].map(([name, valued]) => ({ name, valued }));
  const all = [...OPTION_NAMES.map((name) => ({ name, valued: isValued(name) })), ...letters];
  return Parser([...spelledOut(line)], {
    string: all.flatMap(({ name, valued }) => (valued ? [name] : [])),
    boolean: all.flatMap(({ name, valued }) => (valued ? [] : [name])),
    configuration: PARSER_CONFIGURATION,
  });
};

const strings = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

const BESIDE_OPTIONS: ReadonlySet<string> = new Set(['_', '--', '$0']);

/** Returns the values written for an option; `undefined` if there is none or `--json=false` takes it back. */
const writtenValues = (value: unknown): readonly string[] | undefined => {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value === 'string') return [value];
  return value === false || value === undefined ? undefined : [];
};

const optionsIn = (argv: Readonly<Record<string, unknown>>): Written['options'] =>
  new Map(
    Object.entries(argv).flatMap(([name, value]) => {
      const values = BESIDE_OPTIONS.has(name) ? undefined : writtenValues(value);
      return values === undefined ? [] : [[name, values] as const];
    }),
  );

/** Returns what the line means. Throws a usage error for a line that `sup` does not understand. */
export const readFull = async (line: readonly string[], columns: number): Promise<FullReading> => {
  const argv = parse(line);
  const written = {
    words: strings(argv['_']),
    options: optionsIn(argv),
    ...(line.includes('--') && { tail: strings(argv['--']) }),
  };
  const [command] = written.words;
  if (written.options.has('help') || written.options.has('h')) {
    const about = command !== undefined && isCommand(command) ? command : undefined;
    return { tag: 'help', text: await helpPage(about, columns) };
  }
  if (written.options.has('version') || written.options.has('V')) return { tag: 'version' };
  return { tag: 'parsed', parsed: understand(written) };
};
