// The hidden command `sup __complete` for completion scripts: prints the words that are possible at the
// cursor.
import { EXPORT_FORMATS } from '../../../exchange/export-formats.ts';
import { IMPORT_FORMATS } from '../../../exchange/import-formats.ts';
import { CHANGES } from '../../../mcp/changes/allow-rules.ts';
import type { BootAction } from '../boot/boot-report.ts';
import { INITS } from '../boot/init-system.ts';
import { SHELLS } from './completion.ts';
import { knownNames, namesLeft, type KnownNames } from './known-names.ts';
import type { Context } from '../../context.ts';
import {
  COMMAND_NAMES,
  commandFacts,
  type CommandName,
  isCommand,
  optionsOf,
} from '../../grammar/command-table.ts';
import { factsOf, GLOBAL, isValued, OPTION_NAMES, type OptionName } from '../../grammar/option-table.ts';
import { declaredName } from '../../../streams/domain/ids.ts';
import { EVENT_KINDS } from '../../../streams/wire/documents/event-document.ts';
import { fits, isPattern } from '../../../streams/selection/match.ts';

/** Signal names that are offered as values of `--signal`. */
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

/** The words that can follow `sup boot`. */
const ACTIONS: readonly BootAction[] = ['install', 'remove', 'status'];

/** The names that can be completed. */
interface Names extends KnownNames {
  /** Projects that are not registered but still have files. */
  readonly left: readonly string[];
  /** The profiles in the manifest of the command line. */
  readonly profiles: readonly string[];
  /** The machines that the user's ssh knows. */
  readonly hosts: readonly string[];
}

/**
 * Returns the option that the word spells, if the command accepts it. If `command` is `undefined`, every
 * option is accepted.
 */
const optionOf = (word: string, command: CommandName | undefined): OptionName | undefined => {
  const known = command === undefined ? OPTION_NAMES : optionsOf(command);
  return known.find((name) => word === `--${name}` || word === `-${factsOf(name).short ?? ''}`);
};

const bareName = (name: string): string => name.slice(name.indexOf('/') + 1);

const startingWith = (words: readonly string[], current: string): readonly string[] =>
  words.filter((word) => word.startsWith(current));

/**
 * Returns the services that complete a word. A pattern is replaced by the services that match it. Any other
 * word is completed to ids of services and `project/*`, or to bare names if no id begins with the word.
 */
const servicesFor = (current: string, { projects, services }: Names): readonly string[] => {
  if (isPattern(current))
    return services.filter((name) => fits(current, current.includes('/') ? name : bareName(name)));
  const patterns = projects
    .map((id) => `${id}/*`)
    .filter((pattern) => current.startsWith(pattern.slice(0, -1)));
  const found = startingWith([...services, ...patterns], current);
  return found.length > 0 ? found : startingWith([...new Set(services.map(bareName))], current);
};

/**
 * Returns the words such as `shop/web=` that complete a word of `sup scale`, for services with `replicas`.
 */
const scalable = (current: string, { services }: Names): readonly string[] => {
  const groups = services.filter((name) => name.includes('@')).map((name) => `${declaredName(name)}=`);
  const all = [...new Set(groups)];
  const found = startingWith(all, current);
  return found.length > 0 ? found : startingWith([...new Set(all.map(bareName))], current);
};

/**
 * Returns the completions of a list of kinds of events, such as `health,ro`, without the kinds that it
 * already has.
 */
const kindsFor = (current: string): readonly string[] => {
  const before = current.slice(0, current.lastIndexOf(',') + 1);
  const named = before.split(',');
  return EVENT_KINDS.filter((kind) => !named.includes(kind)).map((kind) => before + kind);
};

const RULES: readonly string[] = [...CHANGES, '*'].map((change) => `${change}:`);

/** Returns the completions of a rule of `--allow`: before the colon the changes, after it the services. */
const rulesFor = (current: string, names: Names): readonly string[] => {
  const changes = RULES.filter((rule) => rule.startsWith(current) || current.startsWith(rule));
  const [only, ...others] = changes;
  if (only === undefined || others.length > 0) return changes;
  return servicesFor(current.slice(only.length), names).map((service) => only + service);
};

/** Returns the names of machines. If `user@` is already typed, each name begins with it. */
const hostsFor = (current: string, { hosts }: Names): readonly string[] => {
  const user = current.slice(0, current.indexOf('@') + 1);
  return hosts.map((host) => user + host);
};

interface CompletionContext {
  readonly command: CommandName | undefined;
  readonly names: Names;
  readonly current: string;
}

/**
 * Returns the projects that complete `--project`: unregistered projects for `sup purge`, registered projects
 * for other commands.
 */
const projectsFor = (command: CommandName | undefined, { left, projects }: Names): readonly string[] =>
  command === 'purge' ? left : projects;

/** Returns the values of an option that has a fixed set of values. */
const wordsOf = (option: OptionName): readonly string[] => {
  if (option === 'signal') return SIGNALS;
  if (option === 'format') return IMPORT_FORMATS.map(({ name }) => name);
  if (option === 'to') return EXPORT_FORMATS.map(({ name }) => name);
  return option === 'init' ? INITS : (factsOf(option).words ?? []);
};

/** Functions that return the values of an option, if these depend on names or on the typed word. */
const VALUES: Readonly<Partial<Record<OptionName, (asked: CompletionContext) => readonly string[]>>> = {
  project: ({ command, names }) => projectsFor(command, names),
  service: ({ current, names }) => servicesFor(current, names),
  profile: ({ names }) => names.profiles,
  kind: ({ current }) => kindsFor(current),
  allow: ({ current, names }) => rulesFor(current, names),
  host: ({ current, names }) => hostsFor(current, names),
};

const valuesFor = (
  option: OptionName | undefined,
  asked: CompletionContext,
): readonly string[] | undefined => {
  if (option === undefined) return undefined;
  return VALUES[option]?.(asked) ?? (isValued(option) ? wordsOf(option) : undefined);
};

const written = (options: readonly OptionName[]): readonly string[] => options.map((name) => `--${name}`);

const optionsFor = (command: CommandName | undefined): readonly string[] =>
  written(command === undefined ? GLOBAL : optionsOf(command));

/** Returns the words that are possible as operands of the command. */
const operandsOf = (command: CommandName, current: string, names: Names): readonly string[] => {
  switch (commandFacts(command).operand?.name) {
    case 'service':
      return servicesFor(current, names);
    case 'service=number':
      return scalable(current, names);
    case 'shell':
      return SHELLS;
    case 'action':
      return ACTIONS;
    case 'command':
      return COMMAND_NAMES;
    default:
      return [];
  }
};

const ATTACHED = /^(--[\w-]+)=(.*)$/s;

/** Splits `--project=sh` into `--project` and `sh`. Removes each `=` that Bash has made a separate word. */
const equalsApart = (words: readonly string[]): readonly string[] =>
  words.flatMap((word, at) => {
    if (word === '=' && words[at - 1]?.startsWith('--') === true) return at === words.length - 1 ? [''] : [];
    const [, option, value] = ATTACHED.exec(word) ?? [];
    return option === undefined || value === undefined ? [word] : [option, value];
  });

/**
 * Joins the words of a rule such as `restart:sh`, which Bash splits into `restart`, `:` and `sh`. `had` is
 * the part of the rule before the last word. Completions must not repeat `had`, because Bash completes only
 * the last word.
 */
const rulesJoined = (
  words: readonly string[],
): { readonly words: readonly string[]; readonly had: string } => {
  const colon = words.lastIndexOf(':');
  if (colon < words.length - 2 || words[colon - 2] !== '--allow') return { words, had: '' };
  const had = `${words[colon - 1] ?? ''}:`;
  return { words: [...words.slice(0, colon - 1), had + words.slice(colon + 1).join('')], had };
};

/** Replaces `ops@bo` after `--host` by `bo`: Bash splits `ops@bo` into words and completes only the last. */
const hostAlone = (words: readonly string[]): readonly string[] => {
  const at = words.lastIndexOf('@');
  const isHost = at > 1 && at >= words.length - 2 && words[at - 2] === '--host';
  return isHost ? [...words.slice(0, at - 1), words[at + 1] ?? ''] : words;
};

const offeredFor = (words: readonly string[], names: Names): readonly string[] => {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  if (before.includes('--')) return [];
  const command = before.find(isCommand);
  const values = valuesFor(optionOf(before.at(-1) ?? '', command), { command, names, current });
  const plain = command === undefined ? COMMAND_NAMES : operandsOf(command, current, names);
  const all = values ?? (current.startsWith('-') ? optionsFor(command) : plain);
  return isPattern(current) ? all : startingWith(all, current);
};

/** Removes quotes and backslashes, which shells pass on as typed. No name contains them. */
const unquoted = (word: string): string => word.replace(/["'\\]/g, '');

/** Returns the completions of the last word of `typed`. This word is at the cursor and may be empty. */
export const completionsOf = (typed: readonly string[], names: Names): readonly string[] => {
  const words = typed.map(unquoted);
  const [, option] = ATTACHED.exec(words.at(-1) ?? '') ?? [];
  const { words: joined, had } = rulesJoined(hostAlone(equalsApart(words)));
  const found = offeredFor(joined, names).map((word) => word.slice(had.length));
  if (option !== undefined && !isValued(option.slice(2))) return [];
  return option === undefined ? found : found.map((value) => `${option}=${value}`);
};

/** Returns the values of an option before the cursor. */
const givenTo = (option: OptionName, words: readonly string[]): readonly string[] =>
  words.slice(0, -1).filter((_, at) => at > 0 && optionOf(words[at - 1] ?? '', undefined) === option);

/** Resolves to the profiles that the line does not name yet. Reads the manifest only after `--profile`. */
const profilesLeft = async (typed: readonly string[], context: Context): Promise<readonly string[]> => {
  const words = equalsApart(typed.map(unquoted));
  if (words.at(-2) !== '--profile') return [];
  const { profilesOffered } = await import('../../offline/manifest-reading.ts');
  const given = givenTo('profile', words);
  const all = await profilesOffered(givenTo('config', words), context).catch(() => []);
  return all.filter((name) => !given.includes(name));
};

/** Resolves to the machines that the line does not name yet. Only `--host` needs them. */
const hostsLeft = async (typed: readonly string[], { world }: Context): Promise<readonly string[]> => {
  const words = hostAlone(equalsApart(typed.map(unquoted)));
  if (words.at(-2) !== '--host') return [];
  const { hostsOffered } = await import('./host-names.ts');
  const given = givenTo('host', words);
  return hostsOffered(world.environment).filter((host) => !given.includes(host));
};

/** Prints the completions, one per line. The last of `words` is the word at the cursor. */
export const complete = async (words: readonly string[], context: Context): Promise<void> => {
  const names = {
    ...(await knownNames(context)),
    left: await namesLeft(words, context),
    profiles: await profilesLeft(words, context),
    hosts: await hostsLeft(words, context),
  };
  const found = completionsOf(words, names);
  context.world.stdout.write(found.map((word) => `${word}\n`).join(''));
};
