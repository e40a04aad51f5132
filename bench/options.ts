// The command line of the benchmarks: `npm run bench -- --only W1,W20:5000-file --peer pm2 --quick`.
import { parseArgs } from 'node:util';

export interface Options {
  /** The workloads (`W20`) and rows of workloads (`W20:5000-file`) to run. An empty list means all. */
  readonly only: readonly string[];
  readonly peers: readonly string[];
  readonly quick: boolean;
}

/** True if the figures are written to bench/results.json: for all workloads at full size. */
export const isWhole = ({ only, quick }: Options): boolean => only.length === 0 && !quick;

/** The names that the options accept. */
export interface Known {
  readonly workloads: readonly string[];
  /** Rows that can be run alone, with their workload: `W20:5000-file`. */
  readonly rows: readonly string[];
  readonly peers: readonly string[];
}

/**
 * Returns the rows of a workload to run. An empty list means all rows; `undefined` means that the workload
 * does not run.
 */
export const rowsToRun = ({ only }: Options, workload: string): readonly string[] | undefined => {
  const prefix = `${workload}:`;
  const rows = only.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  if (only.length === 0 || only.includes(workload)) return [];
  return rows.length === 0 ? undefined : rows;
};

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
    const only = listed(values.only).map((name) => name.replace(/^\w+/, (id) => id.toUpperCase()));
    return { only, peers: listed(values.peer), quick: values.quick };
  } catch (error) {
    throw new NotUnderstood(error instanceof Error ? error.message : String(error));
  }
};

/** Parses the command line. Throws `NotUnderstood` if it is invalid. */
export const readOptions = (line: readonly string[], { workloads, rows, peers }: Known): Options => {
  const options = parsed(line);
  const among = (option: string, names: readonly string[], known: readonly string[]): void => {
    const strange = names.find((name) => !known.includes(name));
    if (strange !== undefined)
      throw new NotUnderstood(`${option} ${strange}: not one of ${known.join(', ')}`);
  };
  among('--only', options.only, [...workloads, ...rows]);
  among('--peer', options.peers, peers);
  return options;
};

export const usage = ({ workloads, rows, peers }: Known): string =>
  [
    'npm run bench -- [--only <workload>[:<row>],…] [--peer <name>]… [--quick]',
    `  --only   some workloads: ${workloads.join(', ')}`,
    `           rows that run alone: ${rows.join(', ')}`,
    `  --peer   measured in the same run, installed on demand: ${peers.join(', ')}`,
    '  --quick  does it work? Its figures are not kept, and not to be quoted',
  ].join('\n');
