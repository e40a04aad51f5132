// `-` as the name of a manifest means standard input. Only a command that registers no manifest accepts it,
// because the supervisor reads the file of a registered manifest again later.
import { failure } from '../../streams/views/errors/command-failure.ts';
import { commandFacts, type CommandName } from './command-table.ts';
import type { Parsed } from './parsed-line.ts';

export const STANDARD_INPUT = '-';

type Line = Omit<Parsed, 'tail'>;

/** True if the operands of the command name a manifest. */
const namesManifest = (command: CommandName): boolean => commandFacts(command).operand?.name === 'manifest';

/** True if the command line names standard input as a manifest. */
export const isFromInput = ({ command, operands, values }: Line): boolean =>
  values.config?.includes(STANDARD_INPUT) === true ||
  (namesManifest(command) && operands.includes(STANDARD_INPUT));

/** Returns the command line with each `-` replaced by the path of the manifest. */
export const withInputPath = <T extends Line>(line: T, path: string): T => {
  const named = (words: readonly string[]): readonly string[] =>
    words.map((word) => (word === STANDARD_INPUT ? path : word));
  const { command, operands, values } = line;
  return {
    ...line,
    operands: namesManifest(command) ? named(operands) : operands,
    values: { ...values, ...(values.config && { config: named(values.config) }) },
  };
};

const AGAIN = 'the supervisor reads the file again at each start, restart and apply';
const BY_PATH = 'it looks a registered manifest up by the path of its file';

const REASONS: Readonly<Partial<Record<CommandName, string>>> = {
  start: AGAIN,
  apply: AGAIN,
  restart: AGAIN,
  supervise: AGAIN,
  plan: 'it compares the file of a registered manifest with what runs',
};

const TAKING: ReadonlySet<CommandName> = new Set(['validate', 'config', 'export', 'migrate']);

/** Throws ERR0244 if the command line names standard input for a command that needs a file. */
export const checkInput = (line: Line): void => {
  const { command, flags } = line;
  const isReplacing = flags.has('in-place');
  if (!isFromInput(line) || (TAKING.has(command) && !isReplacing)) return;
  const detail = isReplacing
    ? 'there is no file that --in-place could replace'
    : (REASONS[command] ?? BY_PATH);
  throw failure({ code: 'ERR0244', command, detail }, 'usage');
};
