// The command line of the benchmarks: `npm run bench -- --only W1,W9 --peer pm2 --peer supervisord --quick`.
import { parseArgs } from 'node:util';

export interface Options {
  /** Ids of the workloads to run; empty: all. */
  readonly only: readonly string[];
  readonly peers: readonly string[];
  readonly quick: boolean;
}

/** True if the figures are written to bench/results.json: for all workloads at full size. */
export const isWhole = ({ only, quick }: Options): boolean => only.length === 0 && !quick;

/** The names that the options accept. */
export interface Known {
  readonly workloads: readonly string[];
  readonly peers: readonly string[];
}

/** An invalid command line. The message names the mistake. */
export class NotUnderstood extends Error {}

const listed = (given: readonly string[]): readonly string[] =>
  given.flatMap((names) => names.split(',')).map((name) => name.trim());

const parsed = (line: readonly string[]): Options => {
  try {
    const { values } = parseArgs({
      args: [...line],
      options: {
        only: { type: 'string', multiple: true, default: [] },
        peer: { type: 'string', multiple: true, default: [] },
        quick: { type: 'boolean', default: false },
      },
    });
    const only = listed(values.only).map((id) => id.toUpperCase());
    return { only, peers: listed(values.peer), quick: values.quick };
  } catch (error) {
    throw new NotUnderstood(error instanceof Error ? error.message : String(error));
  }
};

/** Parses the command line. Throws `NotUnderstood` if it is invalid. */
export const readOptions = (line: readonly string[], { workloads, peers }: Known): Options => {
  const options = parsed(line);
  const among = (option: string, names: readonly string[], known: readonly string[]): void => {
    const strange = names.find((name) => !known.includes(name));
    if (strange !== undefined)
      throw new NotUnderstood(`${option} ${strange}: not one of ${known.join(', ')}`);
  };
  among('--only', options.only, workloads);
  among('--peer', options.peers, peers);
  return options;
};

export const usage = ({ workloads, peers }: Known): string =>
  [
    'npm run bench -- [--only <workload>,…] [--peer <name>]… [--quick]',
    `  --only   some workloads: ${workloads.join(', ')}`,
    `  --peer   measured in the same run, installed on demand: ${peers.join(', ')}`,
    '  --quick  does it work? Its figures are not kept, and not to be quoted',
  ].join('\n');
