// Reads any command line with yargs, makes the help pages, and says what is wrong with a line that nobody understands.
import yargs, { type Argv, type Options } from 'yargs';
import { COMMAND_NAMES, commandFacts, isCommand, optionsOf, type CommandName } from './commands.ts';
import { FLAGS, GLOBAL, VALUED, factsOf, isFlag, isValued, type OptionName } from './options.ts';
import type { Parsed } from './parsed.ts';
import { checkOptions, checkWords } from './check.ts';

export type FullReading =
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

/** As plain as yargs gets: words and options as they were written, nothing printed, nobody ended. */
const bare = (line: readonly string[]): Argv =>
  yargs([...line])
    .scriptName('sup')
    .parserConfiguration({
      'populate--': true,
      'camel-case-expansion': false,
      'boolean-negation': false,
      'dot-notation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'strip-aliased': true,
    })
    .detectLocale(false)
    .version(false)
    .help(false)
    .exitProcess(false);

const usageOf = (name: CommandName): string => {
  const { operand, tail = false } = commandFacts(name);
  const word = operand === undefined ? '' : operand.required ? ` <${operand.name}>` : ` [${operand.name}]`;
  return `sup ${name}${word} [options]${tail ? ' [-- command…]' : ''}`;
};

const examplesOf = (name: CommandName): string =>
  ['Examples:', ...commandFacts(name).examples.map(([line, meaning]) => `  ${line}\n      ${meaning}`)].join(
    '\n',
  );

/** The help page: of a command, or of the program. */
export const helpPage = async (command: CommandName | undefined, columns: number): Promise<string> => {
  const page = bare([]).wrap(Math.min(columns, 100));
  if (command !== undefined)
    return withOptions(page, optionsOf(command))
      .usage(`${usageOf(command)}\n\n${commandFacts(command).summary}`)
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

/** Every option is declared for every command here, so that a command may stand before or behind its options. */
const parse = (line: readonly string[]): Readonly<Record<string, unknown>> => {
  const every = [...Object.keys(VALUED), ...Object.keys(FLAGS)];
  const known = every.filter((name): name is OptionName => isValued(name) || isFlag(name));
  return withOptions(bare(line), known).parseSync();
};

const strings = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

const valuesOf = (argv: Readonly<Record<string, unknown>>): Parsed['values'] =>
  Object.fromEntries(
    Object.entries(argv).filter(([name, value]) => isValued(name) && typeof value === 'string'),
  );

/** What the line says. Throws a usage error for a line that says nothing sup understands. */
export const readFull = async (line: readonly string[], columns: number): Promise<FullReading> => {
  const argv = parse(line);
  const words = strings(argv['_']);
  const flags = new Set(
    Object.keys(argv)
      .filter(isFlag)
      .filter((name) => argv[name] === true),
  );
  const [command, operand] = words;
  if (flags.has('help')) {
    const about = command !== undefined && isCommand(command) ? command : undefined;
    return { tag: 'help', text: await helpPage(about, columns) };
  }
  if (flags.has('version') && command === undefined) return { tag: 'version' };
  const tail = strings(argv['--']);
  const known = checkWords(words, tail);
  checkOptions(known, argv);
  return {
    tag: 'parsed',
    parsed: {
      command: known,
      flags,
      values: valuesOf(argv),
      tail,
      ...(operand === undefined ? {} : { operand }),
    },
  };
};
