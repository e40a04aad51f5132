// The help pages of the commands and of the program. They are formatted by yargs, which is used only here.
import yargs, { type Argv, type Options } from 'yargs';
import type { OperandFacts } from './command-facts.ts';
import { COMMAND_NAMES, commandFacts, type CommandName, optionsOf } from './command-table.ts';
import { factsOf, GLOBAL, type OptionName } from './option-table.ts';

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

/** Returns a yargs instance that prints nothing and does not exit the process. */
const bare = (): Argv =>
  yargs([]).scriptName('sup').detectLocale(false).version(false).help(false).exitProcess(false);

const operandText = ({ name, required = false, several = false }: OperandFacts): string =>
  `${required ? `<${name}>` : `[${name}]`}${several ? '…' : ''}`;

const usageOf = (name: CommandName): string => {
  const { operand, tail = false } = commandFacts(name);
  return `sup ${name}${operand === undefined ? '' : ` ${operandText(operand)}`} [options]${tail ? ' [-- command…]' : ''}`;
};

/** Returns the description of the words after the command; empty if it takes none. */
const operandOf = (name: CommandName): string => {
  const { operand } = commandFacts(name);
  return operand === undefined ? '' : `\n\n${operandText(operand)}  ${operand.describe}`;
};

const examplesOf = (name: CommandName): string =>
  ['Examples:', ...commandFacts(name).examples.map(([line, meaning]) => `  ${line}\n      ${meaning}`)].join(
    '\n',
  );

/** Resolves to the help page of a command, or of the program if none is given. */
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
