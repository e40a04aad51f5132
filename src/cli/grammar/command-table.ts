// All commands: purpose, options besides the global ones, and examples. A command declares exactly the
// options that it uses. A test compares this table with `docs/commands.md`.
import { ABOUT_SUP } from './about-commands.ts';
import { OF_MANIFESTS } from './manifest-commands.ts';
import { SELECTING, SERVICES, type CommandFacts } from './command-facts.ts';
import { GLOBAL, type OptionName } from './option-table.ts';

const COMMANDS = {
  start: {
    summary: 'Start a manifest, services, or any command',
    options: [...SELECTING, 'profile', 'daemonize', 'name'],
    repeats: ['config'],
    operand: SERVICES,
    tail: true,
    examples: [
      ['sup start', 'Start sup.yaml of this directory and follow its output'],
      ['sup start -c shop.yaml --daemonize', 'Return once every service is ready or has failed'],
      ['sup start -c sup.yaml -c prod.yaml', 'Two files; the second one overrides the first'],
      ['sup start --profile dev', 'Also the services of the profile dev, from now on'],
      ['sup start shop/web', 'Start one service, and what it depends on'],
      ['sup start --name ticker -- sh -c "while sleep 1; do date; done"', 'Supervise a command'],
    ],
  },
  stop: {
    summary: 'Stop services, a project, or everything',
    options: [...SELECTING, 'all', 'yes'],
    operand: SERVICES,
    examples: [
      ['sup stop shop/web "worker-*"', 'Stop some services; their dependents are left alone'],
      ['sup stop -p shop', 'Stop a project, dependents before their dependencies'],
      ['sup stop --here', 'Stop what the manifest of this directory declares'],
      ['sup stop', 'Stop every registered project; on a terminal it asks first; the supervisor stays'],
    ],
  },
  restart: {
    summary: 'Read every registered manifest again and restart the selected services',
    options: [...SELECTING, 'with-dependents', 'all', 'yes'],
    operand: SERVICES,
    examples: [
      ['sup restart shop/web', 'Restart one service only'],
      ['sup restart shop/db --with-dependents', 'Also the services that depend on it'],
      ['sup restart --here', 'Restart what the manifest of this directory declares'],
      ['sup restart', 'Apply all changes and restart every service of every project'],
    ],
  },
  apply: {
    summary: 'Read the manifest again and deploy what has changed, and nothing else',
    options: [...SELECTING, 'all', 'dry-run', 'show-values'],
    operand: SERVICES,
    examples: [
      [
        'sup apply',
        'Of this directory: what is gone stops, what is new starts, what has changed gets a new run',
      ],
      ['sup apply --all', 'The same of every registered manifest'],
      ['sup apply shop/web', 'Only this one'],
      ['sup apply --dry-run', 'The same as sup plan'],
    ],
  },
  rollback: {
    summary: 'Go back to the last good declaration before the present one; the manifest stays as it is',
    options: [...SELECTING, 'all'],
    operand: SERVICES,
    examples: [
      ['sup rollback shop/web', 'By its strategy; the next apply or restart applies the manifest again'],
    ],
  },
  scale: {
    summary: 'Set how many instances of a service with replicas run',
    options: ['project', 'sys'],
    operand: {
      name: 'service=number',
      required: true,
      several: true,
      describe: 'A service that declares replicas, and how many instances it is to have',
      missing: 'sup scale <service>=<number>',
    },
    examples: [
      ['sup scale shop/web=4', 'Until the number in the manifest changes'],
      ['sup scale web=4 worker=2', 'Several at once; returns when new ones are ready and others are gone'],
    ],
  },
  plan: {
    summary: 'Show what apply would do; exit status 2 when there is something',
    options: [...SELECTING, 'all', 'show-values'],
    operand: SERVICES,
    examples: [
      ['sup plan', 'Changed keys, strategies, order, and how long each would be down'],
      ['sup plan --json', 'The document sup.plan/1'],
    ],
  },
  reload: {
    summary: 'Have services read their own configuration again, without a restart',
    options: SELECTING,
    operand: {
      ...SERVICES,
      required: true,
      missing: 'sup reload <service>; to apply changed manifests: sup apply',
    },
    examples: [['sup reload shop/proxy', 'Carries out its `reload` of the manifest']],
  },
  kill: {
    summary: 'Send a signal to the main process of services',
    options: ['signal', 'project', 'config', 'here', 'sys'],
    operand: { ...SERVICES, required: true, missing: 'sup kill [-s <signal>] <service>' },
    examples: [['sup kill -s USR1 shop/web', 'What comes of it is up to the service and its policy']],
  },
  exec: {
    summary: 'Run a command as a service runs: its directory, variables, user and confinement',
    options: ['project', 'config', 'here', 'sys', 'unconfined'],
    operand: {
      name: 'service',
      required: true,
      describe: 'A name, also project/name',
      missing: 'sup exec <service> -- <command>',
    },
    tail: true,
    examples: [
      ['sup exec shop/api -- psql', 'Whether the service runs or not'],
      ['sup exec --unconfined shop/api -- sh', 'As its user, without its limits and isolation'],
    ],
  },
  spawn: {
    summary: 'From within a service with spawn.mode dynamic: have a child started and supervised',
    options: ['name', 'ttl'],
    tail: true,
    examples: [
      ['sup spawn -- ./worker --once', 'A child of the service that this runs in, child-1'],
      ['sup spawn --name thumbs --ttl 5m -- ./thumbs', 'Stopped after five minutes at the latest'],
      ['sup spawn --json -- ./worker', 'The document sup.spawned/1'],
    ],
  },
  status: {
    summary: 'Show how every service is doing, and why',
    options: [...SELECTING, 'watch', 'failed'],
    operand: SERVICES,
    examples: [
      ['sup status', 'A table; exit status 1 when something is failing, 3 without a supervisor'],
      ["sup status 'web-*' shop/db", 'Only these'],
      ['sup status --failed', 'Only what is failing, and why'],
      ['sup status --watch', 'A live view; ? tells its keys'],
      ['sup status --json', 'The document sup.status/1'],
    ],
  },
  inspect: {
    summary: 'Show everything that is known about services',
    options: [...SELECTING, 'window'],
    operand: SERVICES,
    examples: [
      ['sup inspect shop/web', 'One service, with its history'],
      ['sup inspect shop/web --window 1h', 'With charts of what it used in the last hour'],
      ['sup inspect -p shop --json', 'The document sup.inspect/1'],
    ],
  },
  why: {
    summary: 'Say why services are as they are, what happens next, and what can be done',
    options: SELECTING,
    operand: SERVICES,
    examples: [
      ['sup why', 'Of everything that is in trouble'],
      ['sup why shop/web', 'From its state back to the root of the trouble'],
      ['sup why shop/web --json', 'The document sup.why/1'],
    ],
  },
  wait: {
    summary: 'Wait until services are where they should be',
    options: [...SELECTING, 'for', 'timeout'],
    operand: SERVICES,
    examples: [
      [
        'sup wait shop/db --for healthy --timeout 30s',
        'Exits with 1 if it cannot become healthy, with 124 after 30 s',
      ],
      ['sup wait "job-*" --for done', 'All of them'],
    ],
  },
  logs: {
    summary: 'Show what services printed; works without a supervisor',
    options: [
      ...SELECTING,
      'follow',
      'lines',
      'since',
      'until',
      'grep',
      'ignore-case',
      'stream',
      'no-time',
      'local',
      'raw',
      'path',
      'supervisor',
      'prune',
      'max-age',
      'max-size',
      'clear',
      'yes',
    ],
    operand: SERVICES,
    examples: [
      ['sup logs shop/web -f', 'The last lines, then new ones as they come'],
      ['sup logs --supervisor -f', 'What the supervisor itself has to say'],
      ['sup logs --prune --max-age 7d --max-size 1G', 'Remove rotated files, the oldest first'],
      ['sup logs --clear shop/web', 'Empty the log of a service, after a question'],
      ['sup logs -p shop --since 10m --grep error', 'What matched in the last ten minutes'],
    ],
  },
  events: {
    summary: 'Show what happened to services, and when; works without a supervisor',
    options: [...SELECTING, 'follow', 'lines', 'since', 'until', 'kind'],
    operand: SERVICES,
    examples: [
      ['sup events --kind health,rollout', 'Only these kinds of events'],
      ['sup events --since 12h', 'What happened last night'],
      ['sup events shop/web -f', 'What happens to one service from now on'],
      ['sup events -p shop --json', 'One document sup.event/1 a line'],
    ],
  },
  metrics: {
    summary: 'Print what monitoring systems are told, as OpenMetrics text',
    options: ['sys'],
    examples: [
      ['sup metrics', 'Every service and the supervisor itself'],
      ['sup metrics --json', 'The document sup.metrics/1'],
    ],
  },
  ...OF_MANIFESTS,
  supervise: {
    summary: 'Run the supervisor in the foreground, for init systems and containers',
    options: ['config', 'sys', 'metrics-listen', 'metrics-host'],
    repeats: ['config', 'metrics-host'],
    operand: { name: 'manifest', several: true, describe: 'Registered and started, as with -c' },
    examples: [
      ['sup supervise', 'Logs go to standard error; SIGTERM stops everything in order'],
      ['sup supervise --metrics-listen 9464', 'Also answers at http://127.0.0.1:9464/metrics'],
      ['sup supervise -c /etc/sup/shop.yaml', 'Starts its services, and shows what they print; -q does not'],
    ],
  },
  shutdown: {
    summary: 'Stop everything, then the supervisor',
    options: ['force', 'sys'],
    examples: [
      ['sup shutdown', 'Returns when the supervisor is gone'],
      [
        'sup shutdown --force',
        'Kills one that does not answer; its services go on, and the next one adopts them',
      ],
    ],
  },
  upgrade: {
    summary: 'Have this sup take the place of the running supervisor; nothing is stopped',
    options: ['sys'],
    examples: [
      ['sup upgrade', 'After an installation: this sup, and the Node that runs it, take over'],
      ['sup upgrade --json', 'The document sup.upgrade/1'],
    ],
  },
  forget: {
    summary: 'Drop the registration of a manifest',
    options: ['sys'],
    operand: {
      name: 'manifest',
      required: true,
      describe: 'Its path, as it was registered; of a supervised command its name',
    },
    examples: [['sup forget /srv/old/sup.yaml', 'Its services are stopped']],
  },
  purge: {
    summary: 'Remove what is left of projects that are not registered any more',
    options: ['project', 'logs', 'state', 'force', 'all', 'yes', 'dry-run', 'sys'],
    examples: [
      ['sup purge', 'Shows what would go, and asks'],
      ['sup purge -p old-shop --logs --yes', 'Only the logs of one project'],
      ['sup purge --all', 'Stop everything and remove all of sup, manifests excepted, after a question'],
    ],
  },
  ...ABOUT_SUP,
} as const satisfies Readonly<Record<string, CommandFacts>>;

export type CommandName = keyof typeof COMMANDS;

export const COMMAND_NAMES: readonly CommandName[] = Object.keys(COMMANDS).filter(isCommand);

export function isCommand(word: string): word is CommandName {
  return Object.hasOwn(COMMANDS, word);
}

export const commandFacts = (name: CommandName): CommandFacts => COMMANDS[name];

/** Returns the options that a command accepts: first its own, then the global ones. */
export const optionsOf = (name: CommandName): readonly OptionName[] => [
  ...commandFacts(name).options,
  ...GLOBAL,
];
