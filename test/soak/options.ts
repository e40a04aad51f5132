// The command line: `npm run soak -- --seconds 600 --kills 50 --seed 7 --seeds 10`.
import { parseArgs } from 'node:util';

export interface Options {
  /** The first; those after it are the next numbers. */
  readonly seed: number;
  readonly seeds: number;
  /** Of one seed, at the most. */
  readonly seconds: number;
  readonly kills: number;
}

export const readOptions = (line: readonly string[], random: () => number): Options => {
  const { values } = parseArgs({
    args: [...line],
    options: {
      seed: { type: 'string' },
      seeds: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '600' },
      kills: { type: 'string', default: '50' },
    },
  });
  return {
    seed: values.seed === undefined ? Math.floor(random() * 1_000_000) : Number(values.seed),
    seeds: Number(values.seeds),
    seconds: Number(values.seconds),
    kills: Number(values.kills),
  };
};
