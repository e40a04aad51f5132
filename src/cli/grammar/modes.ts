// Options that change what a command does, such as `sup logs --prune`, and the options with which each can be
// combined. Other options are refused, so that no option is silently ignored.
import { SELECTING } from './command-facts.ts';
import type { CommandName } from './command-table.ts';
import { exclusive, usageError } from './usage-error.ts';
import { GLOBAL, type Flag, type OptionName } from './option-table.ts';
import type { Parsed } from './parsed-line.ts';

interface Mode {
  readonly flag: Flag;
  readonly reads: readonly OptionName[];
  /** Options that are valid only together with this flag. */
  readonly own?: readonly OptionName[];
  /** A valid command line, shown as a hint in the error. */
  readonly example: string;
}

const LINES = ['lines', 'since', 'until', 'grep', 'ignore-case', 'stream'] as const;

const MODES: Readonly<Partial<Record<CommandName, readonly Mode[]>>> = {
  apply: [
    {
      flag: 'dry-run',
      reads: [...SELECTING, 'all', 'show-values'],
      own: ['show-values'],
      example: 'sup apply --dry-run --show-values',
    },
  ],
  logs: [
    {
      flag: 'prune',
      reads: [...SELECTING, 'max-age', 'max-size'],
      own: ['max-age', 'max-size'],
      example: 'sup logs --prune --max-age 7d',
    },
    { flag: 'clear', reads: [...SELECTING, 'yes'], own: ['yes'], example: 'sup logs --clear shop/web --yes' },
    { flag: 'path', reads: SELECTING, example: 'sup logs --path shop/web' },
    {
      flag: 'supervisor',
      reads: ['sys', 'follow', 'lines', 'since', 'until', 'grep', 'ignore-case', 'raw'],
      example: 'sup logs --supervisor --grep shop/web',
    },
    {
      flag: 'follow',
      reads: [
        ...SELECTING,
        'lines',
        'since',
        'grep',
        'ignore-case',
        'stream',
        'no-time',
        'local',
        'raw',
        'supervisor',
      ],
      example: 'sup logs -f --since 10m shop/web',
    },
    {
      flag: 'json',
      reads: [
        ...SELECTING,
        'follow',
        ...LINES,
        'path',
        'supervisor',
        'prune',
        'max-age',
        'max-size',
        'clear',
        'yes',
      ],
      example: 'sup logs --json shop/web',
    },
  ],
  purge: [{ flag: 'all', reads: ['yes', 'dry-run', 'sys'], example: 'sup purge --all --dry-run' }],
  status: [{ flag: 'failed', reads: SELECTING, example: 'sup status --failed' }],
  // `--follow` has no end, so it cannot be combined with `--until`.
  events: [
    {
      flag: 'follow',
      reads: [...SELECTING, 'lines', 'since'],
      example: 'sup events -f --since 10m shop/web',
    },
  ],
};

type GivenOptions = Pick<Parsed, 'flags' | 'values'>;

const givenIn = ({ flags, values }: GivenOptions): readonly string[] => [...flags, ...Object.keys(values)];

/**
 * Throws ERR0204 for two options that exclude each other, and ERR0200 if an option needs another option that
 * is missing.
 */
export const checkModes = (command: CommandName, given: GivenOptions): void => {
  for (const { flag, reads, own, example } of MODES[command] ?? []) {
    const beside: readonly string[] = [flag, ...reads, ...GLOBAL];
    const isOn = given.flags.has(flag);
    const stranger = givenIn(given).find((name) => !beside.includes(name));
    if (isOn && stranger !== undefined)
      throw exclusive(`--${flag} and --${stranger} exclude each other`, example);
    const lost = own?.find((name) => givenIn(given).includes(name));
    if (!isOn && lost !== undefined) throw usageError(`--${lost} belongs to --${flag}`, example);
  }
};

const SAME = 'it is the same on every machine';

/** The reason why a command takes no `--host`, or what to use instead. */
const WITHOUT_HOST: Readonly<Partial<Record<CommandName, string>>> = {
  exec: 'ssh -t <host> sup exec <service> -- <command>',
  spawn: 'it speaks for the service that it runs in',
  event: 'it speaks for the service that it runs in',
  supervise: 'to have the supervisor start with that machine: sup boot install --host <host> --yes',
  mcp: 'have the agent run: ssh <host> sup mcp',
  import: 'import here, then copy the manifest to the host',
  schema: SAME,
  completion: SAME,
  help: SAME,
};

/** Throws a usage error for `--host` with a command that makes no sense on another machine. */
export const checkHosts = (command: CommandName, { values }: GivenOptions): void => {
  const why = WITHOUT_HOST[command];
  if (values.host !== undefined && why !== undefined) throw usageError(`sup ${command} takes no --host`, why);
};
