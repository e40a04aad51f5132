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

/** What it says is wrong with the command line. */
export class NotUnderstood extends Error {}

export const USAGE = [
  'npm run soak -- [--seed <n>] [--seeds <n>] [--kills <n>] [--seconds <n>]',
  '  --seed     the first campaign, to play it again; else one by chance',
  '  --seeds    how many campaigns, of this number and the next ones (1)',
  '  --kills    of one campaign, at the most (50)',
  '  --seconds  of one campaign, at the most (600)',
].join('\n');

const given = (line: readonly string[]): Readonly<Partial<Record<keyof Options, string>>> => {
  try {
    const text = { type: 'string' } as const;
    return parseArgs({ args: [...line], options: { seed: text, seeds: text, kills: text, seconds: text } })
      .values;
  } catch (error) {
    throw new NotUnderstood(error instanceof Error ? error.message : String(error));
  }
};

/** Throws `NotUnderstood`. `random` is from 0 to 1. */
export const readOptions = (line: readonly string[], random: () => number): Options => {
  const values = given(line);
  const whole = (name: keyof Options, otherwise: number, least: number): number => {
    const value = Number(values[name] ?? otherwise);
    if (!Number.isSafeInteger(value) || value < least)
      throw new NotUnderstood(`--${name} ${values[name] ?? ''}: not a whole number from ${least} on`);
    return value;
  };
  return {
    seed: whole('seed', Math.floor(random() * 1_000_000), 0),
    seeds: whole('seeds', 1, 1),
    seconds: whole('seconds', 600, 1),
    kills: whole('kills', 50, 1),
  };
};
