// W20: own death and upgrade with many services. For each number of services and each sink, the supervisor is
// killed with SIGKILL, and its guardian starts another supervisor. Measures the time from the kill until a
// `stop` of one service succeeds. A command that fails before is repeated. Then an `upgrade` is timed.
import { inOwnDirectory } from '../measure/own-directory.ts';
import { until } from '../measure/until.ts';
import { ratio, type Figure, type Goal } from '../report/figure.ts';
import { projectOf } from '../subjects/manifest.ts';
import { openSup, type Sup } from '../subjects/sup.ts';
import { wantedRows, type Bench, type Workload } from '../workload.ts';

const SINKS = ['none', 'file'] as const;
type Sink = (typeof SINKS)[number];

const COUNTS = [500, 1_000, 2_000, 5_000];
/** The smallest and the largest number of services. Only the largest has goals. */
const LEAST = 500;
const MOST = 5_000;
/** The goals, s. */
const GOALS = { death: 4, upgrade: 5 } as const;
const GROWTH: Goal = { atMost: 11 };
/** With `--quick` the number of services is divided by this number. */
const QUICK = 50;

/** Timeout for the start of all services, and for the wait after the kill, ms. */
const LIMIT_MS = 180_000;

interface Row {
  readonly row: string;
  readonly sink: Sink;
  readonly count: number;
}

const ROWS: readonly Row[] = SINKS.flatMap((sink) =>
  COUNTS.map((count) => ({ row: `${count}-${sink}`, sink, count })),
);

const manifest = (count: number, sink: Sink): string =>
  projectOf(
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `s${at}`,
        { exec: ['/bin/sleep', '36000'], restart_policy: 'never', logs: { sink } },
      ]),
    ),
  );

const WHAT = { death: 'kill -9 → a stop succeeds', upgrade: 'upgrade' } as const;
type Act = keyof typeof WHAT;
const ACTS: readonly Act[] = ['death', 'upgrade'];
/** The time of each action, s. */
type Taken = Readonly<Record<Act, number>>;

const stopped = async (sup: Sup): Promise<true | undefined> =>
  (await sup.attempt(['stop', 'bench/s0'])).status === 0 ? true : undefined;

const death = async (sup: Sup): Promise<number> => {
  const began = performance.now();
  process.kill(sup.pid(), 'SIGKILL');
  await until(() => stopped(sup), { what: 'a stop after the kill', limitMs: LIMIT_MS });
  return (performance.now() - began) / 1_000;
};

const taken = (bench: Bench, { row, sink, count }: Row): Promise<Taken> =>
  inOwnDirectory(bench.scratch, async (place) => {
    const sup = openSup(bench.dist, place);
    const file = await sup.write(manifest(bench.quick ? count / QUICK : count, sink));
    const { took: start } = await sup.cli(['start', '-c', file, '--daemonize'], { limitMs: LIMIT_MS });
    bench.say(`W20    ${row}: started in ${(start / 1_000).toFixed(1)} s`);
    const seconds = await death(sup);
    const { took } = await sup.cli(['upgrade']);
    return { death: seconds, upgrade: took / 1_000 };
  });

const whatOf = ({ count, sink }: Row, act: Act): string => `${count} services, sink ${sink}: ${WHAT[act]}`;

const figuresOf = (row: Row, all: Taken): readonly Figure[] =>
  ACTS.map((act) => ({
    ...{ subject: 'sup', what: whatOf(row, act), value: all[act], unit: 's' },
    ...(row.count === MOST && { goal: { atMost: GOALS[act] } }),
  }));

/**
 * Returns how much the times grow from the smallest to the largest row of the sink, if both were measured.
 */
const growthOf = (row: Row, most: Taken, least: Taken | undefined): readonly Figure[] =>
  least === undefined || row.count !== MOST
    ? []
    : ACTS.map((act) =>
        ratio(
          { subject: 'sup', what: `${whatOf(row, act)}, to ${LEAST}`, goal: GROWTH },
          most[act],
          least[act],
        ),
      );

export const scale: Workload = {
  id: 'W20',
  title: 'own death at scale',
  rows: ROWS.map(({ row }) => row),
  run: async function* (bench) {
    const all = new Map<string, Taken>();
    for (const row of wantedRows(bench, ROWS)) {
      const found = await taken(bench, row);
      all.set(row.row, found);
      yield [...figuresOf(row, found), ...growthOf(row, found, all.get(`${LEAST}-${row.sink}`))];
    }
  },
};
