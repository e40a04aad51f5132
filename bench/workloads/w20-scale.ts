// W20: own death and upgrade with many services. For each number of services and each sink: the supervisor is
// killed with SIGKILL, and its guardian starts another one. Measured is the time from the kill until a `stop`
// of one service has succeeded; commands that fail meanwhile are repeated. Then an `upgrade` is timed.
import { inOwnDirectory } from '../measure/own-directory.ts';
import { until } from '../measure/until.ts';
import { ratio, type Figure, type Goal } from '../report/figure.ts';
import { projectOf } from '../subjects/manifest.ts';
import { openSup, type Sup } from '../subjects/sup.ts';
import type { Bench, Workload } from '../workload.ts';

const SINKS = ['none', 'file'] as const;
type Sink = (typeof SINKS)[number];

const COUNTS = [500, 1_000, 2_000, 5_000];
/** Largest number of services, for which there are goals, and the goals in seconds. */
const MOST = 5_000;
const GOALS = { death: 4, upgrade: 5 } as const;
const GROWTH: Goal = { atMost: 11 };

/** Timeout of the start of all services and of the wait after the kill, ms. */
const LIMIT_MS = 180_000;

const manifest = (count: number, sink: Sink): string =>
  projectOf(
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `s${at}`,
        { exec: ['/bin/sleep', '36000'], restart_policy: 'never', logs: { sink } },
      ]),
    ),
  );

interface Taken {
  /** Seconds. */
  readonly death: number;
  readonly upgrade: number;
}

const stopped = async (sup: Sup): Promise<true | undefined> =>
  (await sup.attempt(['stop', 'bench/s0'])).status === 0 ? true : undefined;

const death = async (sup: Sup): Promise<number> => {
  const began = performance.now();
  process.kill(sup.pid(), 'SIGKILL');
  await until(() => stopped(sup), { what: 'a stop after the kill', limitMs: LIMIT_MS });
  return (performance.now() - began) / 1_000;
};

const taken = (bench: Bench, count: number, sink: Sink): Promise<Taken> =>
  inOwnDirectory(bench.scratch, async (place) => {
    const sup = openSup(bench.dist, place);
    const file = await sup.write(manifest(count, sink));
    await sup.cli(['start', '-c', file, '--daemonize'], { limitMs: LIMIT_MS });
    const seconds = await death(sup);
    const { took } = await sup.cli(['upgrade']);
    return { death: seconds, upgrade: took / 1_000 };
  });

const WHAT = { death: 'kill -9 → a stop succeeds', upgrade: 'upgrade' } as const;
type Act = keyof typeof WHAT;
const ACTS: readonly Act[] = ['death', 'upgrade'];

const figuresOf = (sink: Sink, all: ReadonlyMap<number, Taken>): readonly Figure[] => {
  const counts = [...all.keys()];
  const of = (count: number, act: Act): number => all.get(count)?.[act] ?? Number.NaN;
  return ACTS.flatMap((act): readonly Figure[] => {
    const what = (count: number): string => `${count} services, sink ${sink}: ${WHAT[act]}`;
    const [least = 0, most = 0] = [counts.at(0), counts.at(-1)];
    return [
      ...counts.map((count) => ({
        ...{ subject: 'sup', what: what(count), value: of(count, act), unit: 's' },
        ...(count === MOST && { goal: { atMost: GOALS[act] } }),
      })),
      ratio(
        { subject: 'sup', what: `${what(most)}, to ${least}`, goal: GROWTH },
        of(most, act),
        of(least, act),
      ),
    ];
  });
};

export const scale: Workload = {
  id: 'W20',
  title: 'own death at scale',
  run: async (bench) => {
    const figures: Figure[] = [];
    for (const sink of SINKS) {
      const all = new Map<number, Taken>();
      for (const count of bench.quick ? [10, 50] : COUNTS) all.set(count, await taken(bench, count, sink));
      figures.push(...figuresOf(sink, all));
    }
    return figures;
  },
};
