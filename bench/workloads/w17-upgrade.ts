// W17: thirty upgrades, one after the other, while W5's writers print and two hundred services crash every second as in
// W14, with a watcher and a client that asks without a pause. Whose pid changed, which numbers are missing from the logs,
// and for how long nobody was answered.
import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { inOwnDirectory } from '../measure/own-directory.ts';
import { percentile } from '../measure/statistics.ts';
import type { Figure } from '../report/figure.ts';
import { openSup, type Sup } from '../subjects/sup.ts';
import { projectOf } from '../subjects/manifest.ts';
import type { Workload } from '../workload.ts';
import { accountOf, figuresOf, WRITER_NAMES, writersOf } from './w05-own-death.ts';

const FLAPPING = 200;

const flapping = (): Readonly<Record<string, object>> =>
  Object.fromEntries(
    Array.from({ length: FLAPPING }, (_, at) => [
      `f${at}`,
      { command: 'exit 7', restart_policy: 'always', backoff: '1s', max_restarts: 1_000_000 },
    ]),
  );

const writerPids = async (sup: Sup): Promise<readonly (number | null)[]> => {
  const client = await sup.connect();
  const { projects } = await client.call('status', {});
  client.close();
  const services = projects.flatMap((project) => project.services);
  return services.filter(({ name }) => name.startsWith('w')).map(({ pid }) => pid);
};

/** The longest of these, with a connection of its own for each question: milliseconds. */
const answers = async (sup: Sup, isOver: () => boolean): Promise<readonly number[]> => {
  const times: number[] = [];
  while (!isOver()) {
    const began = performance.now();
    const client = await sup.connect();
    await client.call('environment', {});
    client.close();
    times.push(performance.now() - began);
    await pause(10);
  }
  return times;
};

/** How many ends of the flapping services were told with another status than theirs. */
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

export const upgrade: Workload = {
  id: 'W17',
  title: 'upgrade',
  run: (bench) =>
    inOwnDirectory(bench.scratch, async (place) => {
      const upgrades = bench.quick ? 3 : 30;
      const sup = openSup(bench.dist, place);
      const services = { ...writersOf(bench, place), ...flapping() };
      await sup.attempt(['start', '-c', await sup.write(projectOf(services)), '--daemonize']);
      const pid = sup.pid();
      const before = await writerPids(sup);
      const watcher = await sup.connect();
      let told = 0;
      watcher.onHello(() => (told += 1));
      await watcher.call('watch', {});
      let over = false;
      const answered = answers(sup, () => over);
      const descriptors: number[] = [];
      for (let times = 0; times < upgrades; times += 1) {
        await pause(300 + Math.random() * 400);
        await sup.cli(['upgrade']);
        descriptors.push(descriptorsOf(pid));
      }
      over = true;
      const times = await answered;
      const after = await writerPids(sup);
      const wrong = await wrongEnds(sup);
      const changed = before.filter((one, at) => one !== after[at]).length + (sup.pid() === pid ? 0 : 1);
      watcher.close();
      await sup.end();
      const [first = 0, last = 0] = [descriptors[0], descriptors.at(-1)];
      const subject = 'sup';
      const figures: Figure[] = [
        { subject, what: 'upgrades', value: upgrades, unit: '' },
        { subject, what: 'pids changed', value: changed, unit: '', goal: { atMost: 0 } },
        { subject, what: 'exit statuses that were not right', value: wrong, unit: '', goal: { atMost: 0 } },
        {
          subject,
          what: 'upgrades that the watcher was not told of',
          value: upgrades - told,
          unit: '',
          goal: { atMost: 0 },
        },
        {
          subject,
          what: 'longest without an answer',
          value: Math.max(...times),
          unit: 'ms',
          goal: { atMost: 500 },
        },
        { subject, what: 'answers, p50', value: percentile(times, 0.5), unit: 'ms' },
        {
          subject,
          what: 'descriptors more after the last than after the first',
          value: last - first,
          unit: '',
        },
      ];
      for (const writer of WRITER_NAMES)
        figures.push(...figuresOf(writer, await accountOf(sup, writer, place)));
      return figures;
    }),
};
