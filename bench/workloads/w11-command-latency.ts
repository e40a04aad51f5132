// W11: how long a user waits for an answer. Measures commands from start to exit, with fifty running
// services, compared with an empty Node program.
import { command, type Finished } from '../measure/command.ts';
import { inOwnDirectory } from '../measure/own-directory.ts';
import { repeat } from '../measure/repeat.ts';
import { percentile } from '../measure/statistics.ts';
import { ratio, type Figure } from '../report/figure.ts';
import { openSup } from '../subjects/sup.ts';
import type { Program } from '../subjects/subject.ts';
import type { Bench, Workload } from '../workload.ts';

const FIFTY: readonly Program[] = Array.from({ length: 50 }, (_, at) => ({
  name: `s${at}`,
  argv: ['/bin/sleep', '3600'],
}));

interface Timed {
  readonly subject: string;
  readonly what: string;
  readonly times: readonly number[];
}

type Ask = () => Promise<Finished>;

/**
 * Runs all commands in turn, several times, so that noise affects them equally. Resolves to the times of each
 * command, ms.
 */
const inTurn = async (
  asks: Readonly<Record<string, Ask>>,
  rounds: number,
): Promise<Readonly<Record<string, readonly number[]>>> => {
  const entries = Object.entries(asks);
  const times = await repeat(rounds, async () => {
    const round: Record<string, number> = {};
    for (const [what, ask] of entries) round[what] = (await ask()).took;
    return round;
  });
  return Object.fromEntries(entries.map(([what]) => [what, times.map((round) => round[what] ?? Number.NaN)]));
};

const NOTHING = 'node -e 0';
const nothing: Ask = () => command([process.execPath, '-e', '0']);

const ofSup = (bench: Bench, rounds: number): Promise<readonly Timed[]> =>
  inOwnDirectory(bench.scratch, async (place) => {
    const sup = openSup(bench.dist, place);
    await sup.boot();
    await sup.declare(FIFTY);
    await sup.start();
    const times = await inTurn(
      {
        [NOTHING]: nothing,
        status: () => sup.cli(['status']),
        'status --json': () => sup.cli(['status', '--json']),
        validate: () => sup.cli(['validate']),
      },
      rounds,
    );
    const client = await sup.connect();
    const asked = await repeat(rounds, async () => {
      const began = performance.now();
      await client.call('status', {});
      return performance.now() - began;
    });
    client.close();
    await sup.end();
    const { [NOTHING]: reference = [], ...commands } = times;
    return [
      { subject: 'bare Node', what: NOTHING, times: reference },
      ...Object.entries(commands).map(([what, each]) => ({ subject: 'sup', what, times: each })),
      { subject: 'sup', what: 'status, over the socket', times: asked },
    ];
  });

const ofPeers = async (bench: Bench, rounds: number): Promise<readonly Timed[]> => {
  const [, ...others] = bench.tools;
  const timed: Timed[] = [];
  for (const tool of others)
    await inOwnDirectory(bench.scratch, async (place) => {
      const subject = tool.open(place);
      await subject.boot();
      await subject.declare(FIFTY);
      await subject.start();
      const took = await repeat(rounds, async () => (await subject.status()).took);
      await subject.end();
      timed.push({ subject: tool.name, what: 'status', times: took });
    });
  return timed;
};

/**
 * The goals for the time of commands, as multiples of the time of `node -e 0`. The goal of other commands is
 * 1.7.
 */
const GOALS: Readonly<Record<string, number>> = { validate: 2.3 };

const figuresOf = ({ subject, what, times }: Timed, reference: number): readonly Figure[] => {
  const p50 = percentile(times, 0.5);
  const byCommand = subject !== 'bare Node' && !what.includes('socket');
  const goal = subject === 'sup' ? { goal: { atMost: GOALS[what] ?? 1.7 } } : {};
  return [
    { subject, what: `${what}, p50`, value: p50, unit: 'ms' },
    { subject, what: `${what}, p99`, value: percentile(times, 0.99), unit: 'ms' },
    ...(byCommand ? [ratio({ subject, what: `${what}, p50, to ${NOTHING}`, ...goal }, p50, reference)] : []),
  ];
};

export const commandLatency: Workload = {
  id: 'W11',
  title: 'command latency',
  run: async (bench) => {
    const rounds = bench.quick ? 5 : 50;
    const timed = [...(await ofSup(bench, rounds)), ...(await ofPeers(bench, Math.min(rounds, 20)))];
    const reference = percentile(timed[0]?.times ?? [], 0.5);
    return timed.flatMap((each) => figuresOf(each, reference));
  },
};
