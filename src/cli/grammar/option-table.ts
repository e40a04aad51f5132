// All options of the command line (`docs/commands.md`), for parser, checks, help and completion.

interface OptionFacts {
  readonly short?: string;
  /** Name of the option's value in the help; absent for a flag. */
  readonly value?: string;
  readonly describe: string;
  /** The values that the option allows; absent if it allows any value. */
  readonly words?: readonly string[];
  /** True if the option may be given any number of times. */
  readonly several?: true;
}

export const VALUED = {
  config: { short: 'c', value: 'file', describe: 'The manifest' },
  project: { short: 'p', value: 'id', describe: 'Only this project; any number of them', several: true },
  profile: {
    value: 'name',
    describe: 'Also the services of this profile; any number of them; SUP_PROFILES does the same',
    several: true,
  },
  service: {
    short: 's',
    value: 'name',
    describe: 'Only this service, as if it stood behind the command; any number of them',
    several: true,
  },
  signal: { short: 's', value: 'name', describe: 'Which signal: TERM, HUP, USR1, …; TERM unless given' },
  name: { value: 'name', describe: 'Name of the ad-hoc service (start -- command), or of the child (spawn)' },
  ttl: { value: 'duration', describe: 'Stop the child after this time, e.g. 5m (spawn)' },
  lines: { short: 'n', value: 'count', describe: 'How many of the last; 100, or all of --since and --until' },
  since: {
    value: 'time',
    describe: 'Nothing older: an ISO time, 22:40, today, yesterday, or an age such as 10m',
  },
  until: {
    value: 'time',
    describe: 'Nothing newer: an ISO time, 22:40, today, yesterday, or an age such as 10m',
  },
  for: {
    value: 'state',
    describe: 'running, healthy, done or stopped; running unless given',
    words: ['running', 'healthy', 'done', 'stopped'],
  },
  timeout: { value: 'duration', describe: 'For how long at the most, such as 30s; for ever unless given' },
  window: { value: 'age', describe: 'Samples of CPU and memory of so long, such as 15m' },
  'metrics-listen': {
    value: 'address',
    describe: 'Serve OpenMetrics over HTTP: a port (this machine only) or address:port',
  },
  'metrics-host': {
    value: 'name',
    describe: 'With --metrics-listen: a host name that requests may use; any number of times',
  },
  port: { value: 'number', describe: 'The port of the page; 9465, or a free one if that is in use' },
  address: { value: 'address', describe: 'Listen there; other machines reach it only with TLS' },
  'tls-cert': { value: 'file', describe: 'Certificate for --address, PEM' },
  'tls-key': { value: 'file', describe: 'Its private key, PEM' },
  unix: { value: 'path', describe: 'Listen on a Unix socket that only this user can use' },
  init: { value: 'system', describe: 'systemd, openrc or crontab; what this machine has unless given' },
  stream: {
    value: 'name',
    describe: 'Only what was printed there: stdout, stderr, hook, child:<name> or sup',
    words: ['stdout', 'stderr', 'hook', 'sup'],
  },
  kind: {
    value: 'kind',
    describe: 'Only events of this kind, or of several: health,rollout',
    several: true,
  },
  'max-age': { value: 'age', describe: 'Rotated files that are older go (--prune): 7d, 12h' },
  'max-size': {
    value: 'size',
    describe: 'The oldest rotated files go until the rest is no larger (--prune): 500M',
  },
  level: { value: 'word', describe: 'info or warning; info unless given', words: ['info', 'warning'] },
  allow: {
    value: 'command:services',
    describe: "What an agent may change: 'restart:shop/*'; any number of them (mcp)",
    several: true,
  },
  format: { value: 'name', describe: 'The format of the files; recognised unless given (import)' },
  to: { value: 'format', describe: 'systemd, compose, kubernetes, nomad or procfile (export)' },
  out: { value: 'path', describe: 'Write the result there: a file (import), a directory (export)' },
  image: {
    value: 'service=image',
    describe: 'The container image of a service; without a service, of all others (export)',
    several: true,
  },
  data: { value: 'key=value', describe: 'Data of the event; any number of them', several: true },
  host: {
    value: 'user@box',
    describe: 'Carry the command out on this machine, by ssh; any number of them',
    several: true,
  },
  threshold: { value: 'score', describe: 'Exit status 1 if a score is above this: 0 to 10' },
  grep: { value: 'pattern', describe: 'Only lines that match this regular expression' },
} as const satisfies Readonly<Record<string, OptionFacts>>;

const FLAGS = {
  sys: { describe: 'The privileged supervisor, in /var/lib/sup (needs root)' },
  json: { describe: 'Machine output: one JSON document' },
  'no-color': { describe: 'No colours; NO_COLOR does the same' },
  quiet: { short: 'q', describe: 'No progress' },
  verbose: { short: 'v', describe: 'Say more: causes of errors, evidence in full' },
  help: { short: 'h', describe: 'Show help' },
  version: { short: 'V', describe: 'Show the version' },
  here: { describe: 'Only what the manifest of this directory declares' },
  all: {
    describe: 'Every registered manifest, wherever it is typed, without a question; everything (purge)',
  },
  failed: { describe: 'Only services in which something is failing' },
  daemonize: { short: 'd', describe: 'Return once every service is ready or has failed' },
  'with-dependents': { describe: 'Also the services that depend on them' },
  'dry-run': { describe: 'Only tell what would be done' },
  'test-alerts': { describe: 'Then send a test message to each receiver of alerts' },
  'show-values': { describe: 'Also the values of variables; on a terminal only' },
  origin: { describe: 'The file and line of each value' },
  watch: { short: 'w', describe: 'A live view; into a pipe one document sup.view/1 a line' },
  follow: { short: 'f', describe: 'Go on with new lines as they come' },
  'no-time': { describe: 'Without the time of each line' },
  local: { describe: "Times of this machine's time zone" },
  raw: { describe: 'As it was printed: no time, no name, and escape sequences as they are' },
  'ignore-case': { short: 'i', describe: 'Letters of --grep match in either case' },
  path: { describe: 'Only print where the log files are' },
  supervisor: { describe: "The supervisor's own log instead" },
  prune: { describe: 'Remove rotated files: by --max-age, --max-size' },
  clear: { describe: 'Remove all that the logs of these services hold, after a question' },
  logs: { describe: 'Only logs' },
  state: { describe: 'Only records and FIFOs' },
  unconfined: { describe: 'As the user of the service, without its limits and isolation (exec)' },
  force: { describe: 'Stop what runs first (purge); kill a supervisor that does not answer (shutdown)' },
  yes: { short: 'y', describe: 'Do not ask' },
  'allow-actions': { describe: 'The page may change services; each action is asked for once' },
  strict: { describe: 'If anything would be lost, print and write nothing (import, export)' },
  evaluate: { describe: 'Evaluate JavaScript, in a confined process without network (import)' },
  'in-place': { describe: 'Replace the file, leaving <file>.bak' },
} as const satisfies Readonly<Record<string, OptionFacts>>;

export type Valued = keyof typeof VALUED;
export type Flag = keyof typeof FLAGS;
export type OptionName = Valued | Flag;

export const isValued = (name: string): name is Valued => Object.hasOwn(VALUED, name);
export const isFlag = (name: string): name is Flag => Object.hasOwn(FLAGS, name);

/** Options that every command accepts. */
export const GLOBAL: readonly OptionName[] = [
  'host',
  'json',
  'no-color',
  'quiet',
  'verbose',
  'help',
  'version',
];

export const factsOf = (name: OptionName): OptionFacts => (isValued(name) ? VALUED[name] : FLAGS[name]);

export const OPTION_NAMES: readonly OptionName[] = [...Object.keys(VALUED), ...Object.keys(FLAGS)].filter(
  (name): name is OptionName => isValued(name) || isFlag(name),
);

/**
 * All option letters, each with true if it takes a value. If several options have the same letter, all or
 * none of them must take a value.
 */
export const LETTERS: ReadonlyMap<string, boolean> = new Map(
  OPTION_NAMES.flatMap((name) => {
    const { short, value } = factsOf(name);
    return short === undefined ? [] : [[short, value !== undefined] as const];
  }),
);
