// The soak: campaigns with random kills, each from a seed that is printed and can be played again.
import { playCampaign, type Report } from './campaign.ts';
import { NotUnderstood, readOptions, USAGE, type Options } from './options.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const quantile = (sorted: readonly number[], part: number): string =>
  sorted.length === 0
    ? '-'
    : String(Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0));

const lineOf = ({ seed, rounds, kills, commands, runs, words, away, faults }: Report): string => {
  const sorted = away.toSorted((a, b) => a - b);
  const back = `back after ${quantile(sorted, 0.5)} ms (median of ${sorted.length}), ${quantile(sorted, 1)} ms at most`;
  const end = faults.length === 0 ? 'all agrees' : `${faults.length} FAULTS`;
  return `seed ${seed}: ${rounds} rounds, ${kills} kills, ${commands} commands, ${runs} runs, ${words} words, ${back}: ${end}`;
};

/** 0: all agrees; 1: it does not; 2: the command line was not understood. */
export const main = async (line: readonly string[]): Promise<number> => {
  if (line.includes('--help')) {
    say(USAGE);
    return 0;
  }
  try {
    return await played(readOptions(line, Math.random));
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error;
    process.stderr.write(`${error.message}\n${USAGE}\n`);
    return 2;
  }
};

const played = async ({ seed, seeds, ...limits }: Options): Promise<number> => {
  let faults = 0;
  let ended = false;
  const over = (): boolean => ended;
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => (ended = true));
  for (let at = 0; at < seeds && !over(); at += 1) {
    say(`seed ${seed + at} (again: npm run soak -- --seed ${seed + at} --kills ${limits.kills})`);
    const report = await playCampaign(seed + at, { ...limits, over }, say);
    say(lineOf(report));
    report.faults.forEach((fault) => say(`  ${fault}`));
    faults += report.faults.length;
  }
  return faults === 0 ? 0 : 1;
};
