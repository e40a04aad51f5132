// Every command: what it is for, which options it takes beside the global ones, and examples for its help.
// `docs/commands.md` lists exactly these (a test holds it to that).
import { GLOBAL, type OptionName } from './options.ts';

export interface CommandFacts {
  readonly summary: string;
  readonly options: readonly OptionName[];
  /** What stands behind the command, beside options; a command without takes none. */
  readonly operand?: { readonly name: string; readonly required: boolean; readonly describe: string };
  /** Takes `-- command…`. */
  readonly tail?: boolean;
  readonly examples: readonly (readonly [line: string, meaning: string])[];
}

export const COMMANDS = {
  start: {
    summary: 'Start a manifest, a service, or any command',
    options: ['service', 'daemonize', 'name'],
    tail: true,
    examples: [
      ['sup start', 'Start sup.yaml of this directory and follow its output'],
      ['sup start -c shop.yaml --daemonize', 'Return once every service is ready or has failed'],
      ['sup start -s shop/web', 'Start one service, and what it depends on'],
      ['sup start --name ticker -- sh -c "while sleep 1; do date; done"', 'Supervise a command'],
    ],
  },
  stop: {
    summary: 'Stop a service, a project, or everything',
    options: ['service'],
    examples: [
      ['sup stop -p shop', 'Stop a project, dependents before their dependencies'],
      ['sup stop -s shop/web', 'Stop one service; its dependents are left alone'],
      ['sup stop', 'Stop everything; the supervisor stays'],
    ],
  },
  restart: {
    summary: 'Read every registered manifest again and bounce what is selected',
    options: ['service'],
    examples: [
      ['sup restart', 'Take up every change, bounce everything'],
      ['sup restart -s shop/web', 'Bounce one service only'],
    ],
  },
  status: {
    summary: 'Show how every service is doing, and why',
    options: ['service', 'watch'],
    examples: [
      ['sup status', 'A table; exit status 1 when something is failing, 3 without a supervisor'],
      ['sup status --watch', 'A live view'],
      ['sup status --json', 'The document sup.status/1'],
    ],
  },
  inspect: {
    summary: 'Show everything that is known about services',
    options: ['service'],
    examples: [
      ['sup inspect -s shop/web', 'One service, with its history'],
      ['sup inspect -p shop --json', 'The document sup.inspect/1'],
    ],
  },
  logs: {
    summary: 'Show what services printed; works without a supervisor',
    options: ['service', 'follow', 'lines', 'since', 'until', 'grep'],
    examples: [
      ['sup logs -s shop/web -f', 'The last lines, then new ones as they come'],
      ['sup logs -p shop --since 10m --grep error', 'What matched in the last ten minutes'],
    ],
  },
  validate: {
    summary: 'Check a manifest as start does, and start nothing',
    options: [],
    examples: [
      ['sup validate', 'Check sup.yaml of this directory'],
      ['sup validate -c shop.yaml --json', 'The document sup.problems/1'],
    ],
  },
  schema: {
    summary: 'Print the JSON Schema of the manifest',
    options: [],
    examples: [['sup schema > sup.schema.json', 'For editors']],
  },
  migrate: {
    summary: 'Convert an old manifest to version 2',
    options: ['in-place'],
    examples: [
      ['sup migrate -c old.yaml', 'Print the converted manifest'],
      ['sup migrate -c old.yaml --in-place', 'Replace the file, leaving old.yaml.bak'],
    ],
  },
  supervise: {
    summary: 'Run the supervisor in the foreground, for init systems and containers',
    options: [],
    examples: [['sup supervise', 'Logs go to standard error; SIGTERM stops everything in order']],
  },
  shutdown: {
    summary: 'Stop everything, then the supervisor',
    options: [],
    examples: [['sup shutdown', 'Returns when the supervisor is gone']],
  },
  forget: {
    summary: 'Drop the registration of a manifest',
    options: [],
    operand: { name: 'manifest', required: true, describe: 'Path of the manifest, as it was registered' },
    examples: [['sup forget /srv/old/sup.yaml', 'Its services are stopped']],
  },
  version: {
    summary: 'Show the versions of sup and of the running supervisor',
    options: [],
    examples: [['sup version --json', 'The document sup.version/1']],
  },
  completion: {
    summary: 'Print a completion script for the shell',
    options: [],
    operand: { name: 'shell', required: false, describe: 'bash or zsh; guessed from $SHELL' },
    examples: [
      ['source <(sup completion bash)', 'For this bash'],
      ['sup completion zsh > "${fpath[1]}/_sup"', 'For every zsh'],
    ],
  },
} as const satisfies Readonly<Record<string, CommandFacts>>;

export type CommandName = keyof typeof COMMANDS;

export const COMMAND_NAMES: readonly CommandName[] = Object.keys(COMMANDS).filter(isCommand);

export function isCommand(word: string): word is CommandName {
  return Object.hasOwn(COMMANDS, word);
}

export const commandFacts = (name: CommandName): CommandFacts => COMMANDS[name];

/** Every option a command understands, its own first. */
export const optionsOf = (name: CommandName): readonly OptionName[] => [
  ...commandFacts(name).options,
  ...GLOBAL,
];
