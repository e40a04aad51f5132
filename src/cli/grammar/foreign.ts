// Words that other programs have for what this one does: nobody who types them is left with a guess.
import { isSignal } from '../commands/kill/signal-named.ts';
import { commandFacts, isCommand, type CommandName } from './commands.ts';
import { isValued, LETTERS, type OptionName } from './options.ts';

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

/** The line that does here what the word does elsewhere. */
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

/** The option, among those of a command, that does here what that one does elsewhere. */
export const ownOptionFor = (word: string, known: readonly OptionName[]): OptionName | undefined =>
  Object.hasOwn(OPTIONS, word) ? OPTIONS[word]?.find((option) => known.includes(option)) : undefined;

/** True for an option whose value is the next word. */
const takesNext = (word: string): boolean =>
  word.startsWith('--') ? isValued(word.slice(2)) : word.length === 2 && LETTERS.get(word[1] ?? '') === true;

/** Indices of the words that are neither options nor their values. */
const placesOf = (line: readonly string[]): readonly number[] =>
  line.flatMap((word, at) => (word.startsWith('-') || takesNext(line[at - 1] ?? '') ? [] : [at]));

/** How many words a command takes in front of a command of the user's own; `undefined`: any number, or none follows. */
const wordsBeforeTail = (command: CommandName): number | undefined => {
  const { tail, operand } = commandFacts(command);
  if (tail !== true || operand?.several === true) return undefined;
  return operand === undefined ? 0 : 1;
};

/** `exec web ls -l` is `exec web -- ls -l`: the first word too many begins the command. */
const withDashes = (line: readonly string[], command: CommandName): readonly string[] => {
  const words = wordsBeforeTail(command);
  const at = words === undefined ? undefined : placesOf(line)[words + 1];
  return at === undefined ? line : [...line.slice(0, at), '--', ...line.slice(at)];
};

const withSignal = (word: string): readonly string[] =>
  /^-[A-Z0-9]+$/.test(word) && isSignal(word.slice(1)) ? ['--signal', word.slice(1)] : [word];

/** `--grep -i error`, as grep(1) takes it. */
const withPattern = (line: readonly string[]): readonly string[] => {
  const at = line.findIndex((word, index) => word === '--grep' && line[index + 1] === '-i');
  return at === -1 ? line : [...line.slice(0, at), '-i', '--grep', ...line.slice(at + 2)];
};

/** A line as kill(1), grep(1) and `docker exec` take it, as `sup` reads it. */
export const translated = (line: readonly string[]): readonly string[] => {
  const command = line[placesOf(line)[0] ?? line.length];
  if (command === undefined || !isCommand(command) || line.includes('--')) return line;
  if (command === 'logs') return withPattern(line);
  return command === 'kill' ? line.flatMap(withSignal) : withDashes(line, command);
};
