// Checks a parsed command line. The errors suggest what the user may have meant (exit status 2).
import { didYouMean } from '../../streams/views/nearest.ts';
import { foreignFile } from '../../manifest/file-names.ts';
import type { Failure } from '../../streams/views/errors/command-failure.ts';
import { isSignal } from './argument-values.ts';
import { COMMAND_NAMES, commandFacts, isCommand, optionsOf, type CommandName } from './command-table.ts';
import type { CommandFacts } from './command-facts.ts';
import { ownCommandFor, ownOptionFor } from './words-of-other-programs.ts';
import {
  factsOf,
  isFlag,
  isValued,
  LETTERS,
  OPTION_NAMES,
  VALUED,
  type OptionName,
  type Valued,
} from './option-table.ts';
import { checkHosts, checkModes } from './modes.ts';
import type { Parsed, Written } from './parsed-line.ts';
import { checkInput } from './standard-input.ts';
import { exclusive, usageError } from './usage-error.ts';

/** Returns a hint with the commands that begin with this word; `undefined` if there are none. */
const beginning = (word: string): string | undefined => {
  const found = word === '' ? [] : COMMAND_NAMES.filter((name) => name.startsWith(word));
  return found.length === 0 ? undefined : `did you mean ${found.map((name) => `sup ${name}`).join(', ')}?`;
};

export const unknownCommand = (word: string): Failure => {
  const own = ownCommandFor(word);
  const hint =
    own === undefined ? (beginning(word) ?? didYouMean(word, COMMAND_NAMES) ?? 'sup --help') : `use: ${own}`;
  return usageError(`unknown command "${word}"`, hint);
};

const helpHint = (command: CommandName): string => `sup ${command} --help`;

const mostOperands = ({ operand }: CommandFacts): number => {
  if (operand === undefined) return 0;
  return operand.several === true ? Infinity : 1;
};

/** File names that cannot be names of services. A name such as `web.service` or `web.js` could be. */
const FILE = /\.(?:ya?ml|ini)$|^Procfile\b|^ecosystem\.config\.[cm]?js$|^supervisord?\.conf$/;

/**
 * Throws a usage error if an operand is a file, because the operands are services. The hint suggests `-c`.
 */
const refuseFile = (command: CommandName, operands: readonly string[]): void => {
  const file = operands.find((word) => FILE.test(word));
  if (file === undefined) return;
  const foreign = foreignFile(file);
  const hint =
    foreign === undefined
      ? `sup ${command} -c ${file}`
      : `it is ${foreign.kind}; to make a manifest of it: sup import ${file} --out sup.yaml`;
  throw usageError(`sup ${command} takes services, and "${file}" is a file`, hint);
};

/** Returns a hint for a line with too many words. For `exec`, the hint shows where to add `--`. */
const surplusHint = (command: CommandName, operands: readonly string[]): string =>
  command === 'exec' && operands[0] !== undefined
    ? `sup exec ${operands[0]} -- ${operands.slice(1).join(' ')}`
    : helpHint(command);

/** Maximum length of a word that names something, characters. The supervisor refuses longer words. */
const LONGEST_WORD = 4096;

const NAMING: ReadonlySet<Valued> = new Set(['service', 'project', 'config']);

const MEANT_BY_NUMBER: Readonly<Partial<Record<CommandName, string>>> = { kill: '--signal', logs: '--lines' };

/** Throws a usage error for a word such as `-9`, which is an option of other tools. */
const refuseNumber = (command: CommandName, operands: readonly string[]): void => {
  const number = operands.find((word) => /^-\d/.test(word));
  if (number === undefined) return;
  const meant = MEANT_BY_NUMBER[command];
  const hint =
    meant === undefined ? helpHint(command) : `sup ${command} ${meant} ${number.slice(1)} <service>`;
  throw usageError(`sup ${command} has no option ${number}`, hint);
};

const refuseUnfit = (command: CommandName, words: readonly string[]): void => {
  const unfit = words.find((word) => word === '' || word.length > LONGEST_WORD);
  if (unfit === undefined) return;
  const what = unfit === '' ? '"" is no name' : `"${unfit.slice(0, 60)}…" is too long for a name`;
  throw usageError(`sup ${command}: ${what}`, helpHint(command));
};

const checkOperands = (command: CommandName, operands: readonly string[]): void => {
  const facts = commandFacts(command);
  const { operand } = facts;
  refuseNumber(command, operands);
  const surplus = operands[mostOperands(facts)];
  if (surplus !== undefined)
    throw usageError(`sup ${command} does not take "${surplus}"`, surplusHint(command, operands));
  refuseUnfit(command, operands);
  if (operand?.name === 'service') refuseFile(command, operands);
  if (operand?.required !== true || operands.length > 0) return;
  throw usageError(
    `sup ${command} needs <${operand.name}>`,
    operand.missing ?? `sup ${command} <${operand.name}>`,
  );
};

const checkTail = (command: CommandName, tail: readonly string[] | undefined): void => {
  if (tail === undefined) return;
  // If the words after `--` come from an empty shell variable, there are none. Without this check the command
  // would then affect all services.
  if (tail.length === 0) throw usageError('nothing stands after --', helpHint(command));
  if (commandFacts(command).tail !== true)
    throw usageError(`sup ${command} takes nothing after --`, helpHint(command));
  if (tail[0] === '')
    throw usageError('the program after -- has no name', `sup ${command} -- <program> [words…]`);
};

const dashed = (name: string): string => (name.length === 1 ? `-${name}` : `--${name}`);

const unknownOption = (command: CommandName, name: string): Failure => {
  const known = optionsOf(command);
  const own = ownOptionFor(name, known);
  const near = didYouMean(
    dashed(name),
    known.map((option) => `--${option}`),
  );
  const hint = own === undefined ? (near ?? helpHint(command)) : `use: sup ${command} --${own}`;
  return usageError(`sup ${command} has no option ${dashed(name)}`, hint);
};

const checkValues = (command: CommandName, name: Valued, values: readonly string[]): void => {
  const { repeats } = commandFacts(command);
  if (values.includes('')) throw usageError(`--${name} needs a value`, `--${name} <${VALUED[name].value}>`);
  if (values.length > 1 && factsOf(name).several !== true && repeats?.includes(name) !== true)
    throw usageError(`--${name} is given more than once`, 'give it once');
};

/** Returns the values of an option, given by its name or letter; `undefined` if it was not given. */
const givenAs = ({ options }: Written, name: OptionName): readonly string[] | undefined => {
  const [long, short] = [options.get(name), options.get(factsOf(name).short ?? '')];
  return long === undefined && short === undefined ? undefined : [...(long ?? []), ...(short ?? [])];
};

type Options = Pick<Parsed, 'flags' | 'values'>;

const optionsIn = (command: CommandName, written: Written): Options => {
  const known = optionsOf(command);
  const spelled = new Set(known.flatMap((name) => [name, factsOf(name).short ?? '']));
  const stranger = [...written.options.keys()].find((name) => !spelled.has(name));
  if (stranger !== undefined) throw unknownOption(command, stranger);
  const values: Partial<Record<Valued, readonly string[]>> = {};
  for (const name of known.filter(isValued)) {
    const given = givenAs(written, name);
    if (given === undefined) continue;
    checkValues(command, name, given);
    if (NAMING.has(name)) refuseUnfit(command, given);
    values[name] = given;
  }
  return {
    values,
    flags: new Set(known.filter(isFlag).filter((name) => givenAs(written, name) !== undefined)),
  };
};

/** Throws ERR0204 for `--all` together with a selection, because the two contradict each other. */
const refuseAll = (command: CommandName, { flags, values }: Options, operands: readonly string[]): void => {
  if (!flags.has('all')) return;
  const { service, project, config } = values;
  const isNarrowed = [service, project, config].some((given) => given !== undefined);
  if (isNarrowed || flags.has('here') || operands.length > 0)
    throw exclusive('--all excludes services, -p, -c and --here', `sup ${command} --all`);
};

/**
 * Throws a usage error for `sup kill -s web`, because in `sup kill` the option `-s` names a signal. In other
 * commands it names a service.
 */
const refuseNoSignal = ({ options }: Written): void => {
  const [given] = options.get('s') ?? options.get('signal') ?? [];
  if (given === undefined || isSignal(given)) return;
  throw usageError(`-s of sup kill names a signal, and "${given}" is none`, `sup kill ${given}`);
};

/**
 * Returns the error for a line without a command. If the line has an unknown option, the error names it,
 * because the command may have been read as its value.
 */
const noCommand = ({ options }: Written): Failure => {
  const known = new Set<string>([...OPTION_NAMES, ...LETTERS.keys()]);
  const stranger = [...options.keys()].find((name) => !known.has(name));
  if (stranger === undefined) return usageError('no command given', 'sup --help');
  const near = didYouMean(
    dashed(stranger),
    OPTION_NAMES.map((option) => `--${option}`),
  );
  return usageError(`sup has no option ${dashed(stranger)}`, near ?? 'sup --help');
};

/** Returns the checked command line. Throws a usage error if it is invalid. */
export const understand = (written: Written): Parsed => {
  const { words, tail } = written;
  const [command, ...operands] = words;
  if (command === undefined) throw noCommand(written);
  if (!isCommand(command)) throw unknownCommand(command);
  if (command === 'kill' && operands.length === 0) refuseNoSignal(written);
  checkOperands(command, operands);
  checkTail(command, tail);
  const options = optionsIn(command, written);
  if (options.flags.has('here') && options.values.config !== undefined)
    throw exclusive('--here and -c name two manifests', 'give one of them');
  refuseAll(command, options, operands);
  checkModes(command, options);
  checkHosts(command, options);
  checkInput({ command, ...options, operands });
  return { command, ...options, operands, tail: tail ?? [] };
};
