// What is wrong with a command line, said with the nearest thing that would have been right (exit status 2).
import { Failure } from '../failure.ts';
import { COMMAND_NAMES, commandFacts, isCommand, optionsOf, type CommandName } from './commands.ts';
import { isValued, VALUED } from './options.ts';
import { didYouMean } from '../../streams/views/nearest.ts';

export const usageError = (message: string, hint: string): Failure =>
  new Failure({ code: 'ERR0200', message, path: null, at: null, hint }, 'usage');

/** The command, when the words around it fit it. */
export const checkWords = (words: readonly string[], tail: readonly string[]): CommandName => {
  const [command, ...rest] = words;
  if (command === undefined) throw usageError('no command given', 'sup --help lists the commands');
  if (!isCommand(command))
    throw usageError(
      `unknown command "${command}"`,
      didYouMean(command, COMMAND_NAMES) ?? 'sup --help lists the commands',
    );
  checkOperands(command, rest);
  if (tail.length > 0 && commandFacts(command).tail !== true)
    throw usageError(`sup ${command} takes nothing after --`, `sup ${command} --help shows what it takes`);
  return command;
};

const checkOperands = (command: CommandName, rest: readonly string[]): void => {
  const { operand, options } = commandFacts(command);
  const surplus = rest[operand === undefined ? 0 : 1];
  if (surplus !== undefined) {
    const hint = options.includes('service')
      ? `to name a service: sup ${command} --service ${surplus}`
      : `sup ${command} --help shows what it takes`;
    throw usageError(`sup ${command} does not take "${surplus}"`, hint);
  }
  if (operand?.required === true && rest.length === 0)
    throw usageError(`sup ${command} needs <${operand.name}>`, `sup ${command} <${operand.name}>`);
};

const BESIDE_OPTIONS: ReadonlySet<string> = new Set(['_', '--', '$0']);

const written = (name: string): string => (name.length === 1 ? `-${name}` : `--${name}`);

const checkValue = (name: string, value: unknown): void => {
  if (!isValued(name)) return;
  if (Array.isArray(value)) throw usageError(`--${name} is given more than once`, 'give it once');
  if (value === '') throw usageError(`--${name} needs a value`, `--${name} <${VALUED[name].value}>`);
};

/** Refuses options the command does not have, and values that are missing or given twice. */
export const checkOptions = (command: CommandName, argv: Readonly<Record<string, unknown>>): void => {
  const known: readonly string[] = optionsOf(command);
  for (const [name, value] of Object.entries(argv)) {
    if (BESIDE_OPTIONS.has(name)) continue;
    if (!known.includes(name)) {
      const likely = didYouMean(name, known)?.replace('"', '"--');
      const hint = likely ?? `sup ${command} --help lists its options`;
      throw usageError(`sup ${command} has no option ${written(name)}`, hint);
    }
    checkValue(name, value);
  }
};
