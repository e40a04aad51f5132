// W17: thirty upgrades in a row, with the writers of W5, two hundred crashing services as in W14, a client
// that watches, and a client that sends requests without a pause. Counts changed pids and lines missing from
// the logs, and measures the longest time without an answer.
import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { inOwnDirectory, type Place } from '../measure/own-directory.ts';
import { percentile } from '../measure/statistics.ts';
import type { Figure } from '../report/figure.ts';
import { openSup, type Sup } from '../subjects/sup.ts';
import { projectOf } from '../subjects/manifest.ts';
import type { Bench, Workload } from '../workload.ts';
import { accountOf, figuresOf, WRITER_NAMES, writersOf, type Writing } from './w05-own-death.ts';

const FLAPPING = 200;

const flapping = (): Readonly<Record<string, object>> =>
  Object.fromEntries(
    Array.from({ length: FLAPPING }, (_, at) => [
      `f${at}`,
      { command: 'exit 7', restart_policy: 'always', backoff: '1s', max_restarts: 1_000_000 },
    ]),
  );

/**
 * Minimum size of a log file before rotation, bytes. With a smaller size there would be a thousand files, and
 * the time to rename them fourteen times a second would dominate the figure.
 */
const ROTATED_AT = 1_000_000;

const writers = (bench: Bench, place: Place): Readonly<Record<string, object>> => {
  const rarer = ({ logs, ...service }: Writing): object => ({
    ...service,
    logs: { ...logs, max_bytes: Math.max(logs.max_bytes, ROTATED_AT) },
  });
  return Object.fromEntries(
    Object.entries(writersOf(bench, place)).map(([name, service]) => [name, rarer(service)]),
  );
};

const writerPids = async (sup: Sup): Promise<readonly (number | null)[]> => {
  const client = await sup.connect();
  const { projects } = await client.call('status', {});
  client.close();
  const services = projects.flatMap((project) => project.services);
  return services.filter(({ name }) => name.startsWith('w')).map(({ pid }) => pid);
};

const answered = async (sup: Sup): Promise<void> => {
  const client = await sup.connect();
  await client.call('environment', {}).finally(() => client.close());
};

/**
 * Sends requests, each over a new connection, until `isOver` returns true. Resolves to the time until each
 * answer, ms. For a request without an answer, this is the time until its timeout.
 */
const answers = async (sup: Sup, isOver: () => boolean): Promise<readonly number[]> => {
  const times: number[] = [];
  while (!isOver()) {
    const began = performance.now();
    await answered(sup).catch(() => undefined);
    times.push(performance.now() - began);
    await pause(10);
  }
  return times;
};

/** Resolves to the number of exits of the crashing services that were reported with a wrong status. */
const wrongEnds = async (sup: Sup): Promise<number> => {
  const client = await sup.connect();
  const { services } = await client.call('inspect', {});
  client.close();
  const ends = services
    .filter(({ name }) => name.startsWith('f'))
    .flatMap(({ history }) => history.filter(({ cause }) => cause === 'exited'));
  return ends.filter(({ reason }) => reason !== 'exited with 7').length;
};

const descriptorsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

interface Seen {
  readonly upgrades: number;
  /** Number of upgrades that the supervisor announced to the watching client. */
  readonly told: number;
  readonly answers: readonly number[];
  /** Number of the supervisor's open descriptors after each upgrade. */
  readonly descriptors: readonly number[];
}

const upgraded = async (sup: Sup, upgrades: number): Promise<Seen> => {
  const watcher = await sup.connect();
  let told = 0;
  watcher.onHello(() => (told += 1));
  await watcher.call('watch', {});
  let over = false;
  const asked = answers(sup, () => over);
  const descriptors: number[] = [];
  try {
    for (let times = 0; times < upgrades; times += 1) {
      await pause(300 + Math.random() * 400);
      await sup.cli(['upgrade']);
      descriptors.push(descriptorsOf(sup.pid()));
    }
  } finally {
    over = true;
    await asked;
    watcher.close();
  }
  return { upgrades, told, answers: await asked, descriptors };
};

const none = (what: string, value: number): Figure => ({
  ...{ subject: 'sup', what, value, unit: '' },
  goal: { atMost: 0 },
});

const figuresFrom = ({ upgrades, told, answers: times, descriptors }: Seen): readonly Figure[] => {
  const subject = 'sup';
  const more = (descriptors.at(-1) ?? 0) - (descriptors[0] ?? 0);
  const longest = { what: 'longest without an answer', value: Math.max(...times) };
  return [
    { subject, what: 'upgrades', value: upgrades, unit: '' },
    none('upgrades that the watcher was not told of', upgrades - told),
    { subject, ...longest, unit: 'ms', goal: { atMost: 500 } },
    { subject, what: 'answers, p50', value: percentile(times, 0.5), unit: 'ms' },
    { subject, what: 'descriptors more after the last than after the first', value: more, unit: '' },
  ];
};

export const upgrade: Workload = {
  id: 'W17',
  title: 'upgrade',
  run: (bench) =>
    inOwnDirectory(bench.scratch, async (place) => {
      const sup = openSup(bench.dist, place);
      const services = { ...writers(bench, place), ...flapping() };
      await sup.attempt(['start', '-c', await sup.write(projectOf(services)), '--daemonize']);
      const [pid, before] = [sup.pid(), await writerPids(sup)];
      const seen = await upgraded(sup, bench.quick ? 3 : 30);
      const after = await writerPids(sup);
      const wrong = await wrongEnds(sup);
      const changed = before.filter((one, at) => one !== after[at]).length + (sup.pid() === pid ? 0 : 1);
      await sup.end();
      const figures = [
        ...figuresFrom(seen),
        none('pids changed', changed),
        none('exit statuses that were not right', wrong),
      ];
      for (const writer of WRITER_NAMES)
        figures.push(...figuresOf(writer, await accountOf(sup, writer, place)));
      return figures;
    }),
};
