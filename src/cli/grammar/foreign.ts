// Words that other programs have for what this one does: nobody who types them is left with a guess.
import type { OptionName } from './options.ts';

const COMMANDS: Readonly<Record<string, string>> = {
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
  Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined;

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
