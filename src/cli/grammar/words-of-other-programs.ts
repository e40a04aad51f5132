// Translates words that users know from other programs into those of `sup`.
import { isSignal } from './argument-values.ts';
import { commandFacts, isCommand, type CommandName } from './command-table.ts';
import { isValued, LETTERS, type OptionName } from './option-table.ts';

const COMMAND_HINTS: Readonly<Record<string, string>> = {
  ps: 'sup status',
  ls: 'sup status',
  list: 'sup status',
  top: 'sup status --watch',
  monit: 'sup status --watch',
  watch: 'sup status --watch',
  up: 'sup start',
  run: 'sup start -- command…',
  add: 'sup start -c <manifest>',
  down: 'sup stop --here',
  quit: 'sup shutdown',
  rm: 'sup forget <manifest>',
  remove: 'sup forget <manifest>',
  delete: 'sup forget <manifest>',
  tail: 'sup logs -f',
  show: 'sup inspect',
  describe: 'sup inspect',
  check: 'sup validate',
  lint: 'sup validate',
  reread: 'sup plan',
  update: 'sup apply',
  signal: 'sup kill -s <signal> <service>',
  daemon: 'sup supervise',
  startup: 'sup boot install',
  unstartup: 'sup boot remove',
  prune: 'sup purge',
};

/** Returns the `sup` command line for a command of another program; `undefined` for an unknown word. */
export const ownCommandFor = (word: string): string | undefined =>
  Object.hasOwn(COMMAND_HINTS, word) ? COMMAND_HINTS[word] : undefined;

const OPTIONS: Readonly<Record<string, readonly OptionName[]>> = {
  detach: ['daemonize'],
  daemon: ['daemonize'],
  background: ['daemonize'],
  tail: ['lines'],
  follow: ['watch'],
  file: ['config'],
  manifest: ['config'],
  format: ['json'],
  output: ['json'],
  filter: ['grep'],
  only: ['service'],
};

/**
 * Returns the option in `known` that has the meaning of an option of another program; `undefined` if there is
 * none.
 */
export const ownOptionFor = (word: string, known: readonly OptionName[]): OptionName | undefined =>
  Object.hasOwn(OPTIONS, word) ? OPTIONS[word]?.find((option) => known.includes(option)) : undefined;

/** True if the word after this option is its value. */
const takesNext = (word: string): boolean =>
  word.startsWith('--') ? isValued(word.slice(2)) : word.length === 2 && LETTERS.get(word[1] ?? '') === true;

/** Returns the indices of the words that are neither options nor values of options. */
const placesOf = (line: readonly string[]): readonly number[] =>
  line.flatMap((word, at) => (word.startsWith('-') || takesNext(line[at - 1] ?? '') ? [] : [at]));

/** Returns the number of operands before the user's own command; `undefined` if that number is not fixed. */
const wordsBeforeTail = (command: CommandName): number | undefined => {
  const { tail, operand } = commandFacts(command);
  if (tail !== true || operand?.several === true) return undefined;
  return operand === undefined ? 0 : 1;
};

/** Inserts the missing `--`: `exec web ls -l` becomes `exec web -- ls -l`. */
const withDashes = (line: readonly string[], command: CommandName): readonly string[] => {
  const words = wordsBeforeTail(command);
  const at = words === undefined ? undefined : placesOf(line)[words + 1];
  return at === undefined ? line : [...line.slice(0, at), '--', ...line.slice(at)];
};

const withSignal = (word: string): readonly string[] =>
  /^-[A-Z0-9]+$/.test(word) && isSignal(word.slice(1)) ? ['--signal', word.slice(1)] : [word];

/** Changes `--grep -i error` to `-i --grep error`, as grep(1) would understand it. */
const withPattern = (line: readonly string[]): readonly string[] => {
  const at = line.findIndex((word, index) => word === '--grep' && line[index + 1] === '-i');
  return at === -1 ? line : [...line.slice(0, at), '-i', '--grep', ...line.slice(at + 2)];
};

/** Changes a line in the style of kill(1), grep(1) or `docker exec` to the syntax of `sup`. */
export const translated = (line: readonly string[]): readonly string[] => {
  const command = line[placesOf(line)[0] ?? line.length];
  if (command === undefined || !isCommand(command) || line.includes('--')) return line;
  if (command === 'logs') return withPattern(line);
  return command === 'kill' ? line.flatMap(withSignal) : withDashes(line, command);
};
