// The command line of the benchmarks: `npm run bench -- --only W1,W9 --peer pm2 --peer supervisord --quick`.
import { parseArgs } from 'node:util';

export interface Options {
  /** Ids of workloads; empty: all of them. */
  readonly only: readonly string[];
  readonly peers: readonly string[];
  readonly quick: boolean;
}

/** Whether the figures are to be kept: of every workload, measured properly. */
export const isWhole = ({ only, quick }: Options): boolean => only.length === 0 && !quick;

export const readOptions = (line: readonly string[]): Options => {
  const { values } = parseArgs({
    args: [...line],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      peer: { type: 'string', multiple: true, default: [] },
      quick: { type: 'boolean', default: false },
    },
  });
  return {
    only: values.only.flatMap((ids) => ids.split(',')).map((id) => id.trim().toUpperCase()),
    peers: values.peer.flatMap((names) => names.split(',')),
    quick: values.quick,
  };
};
