// W2: the memory that supervision costs: the memory of all processes, minus that of the same programs without
// a supervisor.
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { inOwnDirectory } from '../measure/own-directory.ts';
import { carriersOf, pssOf } from '../measure/processes.ts';
import { sum } from '../measure/statistics.ts';
import type { Figure } from '../report/figure.ts';
import { projectOf } from '../subjects/manifest.ts';
import { openSup } from '../subjects/sup.ts';
import type { Bench, Workload } from '../workload.ts';

/** Waiting time, ms. After it, memory that only the start needed has been released. */
const SETTLE_MS = 3_000;

/** Returns the memory of all processes of a measurement, KiB. */
const memoryOf = (mark: string): number => sum(carriersOf(mark).map(pssOf));

const bare = (scratch: string, count: number): Promise<number> =>
  inOwnDirectory(scratch, async ({ directory, environment }) => {
    for (let started = 0; started < count; started += 1)
      spawn('/bin/sleep', ['3600'], { detached: true, stdio: 'ignore', env: environment }).unref();
    await pause(500);
    return memoryOf(directory);
  });

interface Case {
  readonly count: number;
  readonly sink: 'none' | 'file';
}

/** Resolves to the memory beyond that of the programs alone, MiB. */
const overhead = (bench: Bench, { count, sink }: Case): Promise<number> =>
  inOwnDirectory(bench.scratch, async (place) => {
    const sup = openSup(bench.dist, place);
    const service = { exec: ['/bin/sleep', '3600'], restart_policy: 'never', logs: { sink } };
    const services = Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${at}`, service]));
    await sup.cli(['start', '-c', await sup.write(projectOf(services)), '--daemonize', '--quiet']);
    await pause(SETTLE_MS);
    const all = memoryOf(place.directory);
    await sup.end();
    return (all - (await bare(bench.scratch, count))) / 1024;
  });

const GOALS: ReadonlyMap<number, number> = new Map([
  [1, 50],
  [100, 55],
  [500, 65],
]);

interface Sized {
  readonly count: number;
  readonly value: number;
}

const figureOf = (sink: Case['sink'], { count, value }: Sized): Figure => {
  const goal = GOALS.get(count);
  const figure = { subject: 'sup', what: `${count} services, sink ${sink}`, value, unit: 'MiB' };
  return goal === undefined ? figure : { ...figure, goal: { atMost: goal } };
};

/** Returns the memory per service, KiB: the slope between the smallest and the largest number of services. */
const slope = (sizes: readonly Sized[]): number => {
  const [first, last] = [sizes[0], sizes.at(-1)];
  if (first === undefined || last === undefined) return Number.NaN;
  return ((last.value - first.value) * 1024) / (last.count - first.count);
};

export const memory: Workload = {
  id: 'W2',
  title: 'overhead',
  run: async (bench) => {
    const counts = bench.quick ? [1, 10] : [1, 10, 100, 500];
    const figures: Figure[] = [];
    for (const sink of ['none', 'file'] as const) {
      const sizes: Sized[] = [];
      for (const count of counts) sizes.push({ count, value: await overhead(bench, { count, sink }) });
      const what = `each further service, sink ${sink}`;
      figures.push(...sizes.map((sized) => figureOf(sink, sized)));
      figures.push({ subject: 'sup', what, value: slope(sizes), unit: 'KiB' });
    }
    return figures;
  },
};
