// W7: the time from the exit of a crashed process to the start of the next one, without backoff. The program
// itself writes both times. It is a bash script, because bash reads the clock without a new process. So each
// figure, also that of the reference, includes the start of bash.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inOwnDirectory, type Place } from '../measure/own-directory.ts';
import { percentile } from '../measure/statistics.ts';
import { until } from '../measure/until.ts';
import { ratio, type Figure } from '../report/figure.ts';
import type { Tool } from '../subjects/subject.ts';
import type { Bench, Workload } from '../workload.ts';

/** Returns the milliseconds from each `ended` to the next `began`. */
const gaps = (text: string): readonly number[] => {
  const marks = text.split('\n').map((line) => line.split(' '));
  return marks.flatMap(([word, at], index) => {
    const [next, then] = marks[index + 1] ?? [];
    return word === 'ended' && next === 'began' ? [(Number(then) - Number(at)) * 1000] : [];
  });
};

interface Trial {
  readonly bench: Bench;
  readonly place: Place;
  readonly runs: number;
}

const crashing = ({
  bench,
  place,
  runs,
}: Trial): { readonly file: string; readonly argv: readonly string[] } => {
  const file = join(place.directory, 'stamps');
  return { file, argv: ['/bin/bash', join(bench.root, 'bench/fixtures/crash.sh'), file, String(runs)] };
};

const collected = (file: string, runs: number): Promise<readonly number[]> =>
  until(
    async () => {
      const found = gaps(await readFile(file, 'utf8').catch(() => ''));
      return found.length >= runs ? found : undefined;
    },
    { what: `${runs} restarts`, limitMs: 60_000, pauseMs: 100 },
  );

const underTool = (tool: Tool, bench: Bench, runs: number): Promise<readonly number[]> =>
  inOwnDirectory(bench.scratch, async (place) => {
    const subject = tool.open(place);
    const { file, argv } = crashing({ bench, place, runs });
    await subject.boot();
    await subject.declare([{ name: 'crash', argv, restart: true }]);
    const started = subject.start().catch(() => undefined);
    const found = await collected(file, runs);
    await started;
    await subject.end();
    return found;
  });

const bare = (bench: Bench, runs: number): Promise<readonly number[]> =>
  inOwnDirectory(bench.scratch, async (place) => {
    const { file, argv } = crashing({ bench, place, runs });
    const loop = [join(bench.root, 'bench/fixtures/bare-restart.js'), ...argv];
    spawn(process.execPath, loop, { env: { ...process.env, ...place.environment }, stdio: 'ignore' });
    return collected(file, runs);
  });

/** Tools that wait about a second before each restart; they get fewer rounds. */
const SLOW = new Set(['supervisord']);

export const restart: Workload = {
  id: 'W7',
  title: 'restart latency',
  run: async (bench) => {
    const figures: Figure[] = [];
    const runs = bench.quick ? 20 : 200;
    const reference = percentile(await bare(bench, runs), 0.5);
    figures.push({ subject: 'bare Node', what: 'exit → new process, p50', value: reference, unit: 'ms' });
    for (const { name: subject, ...tool } of bench.tools) {
      const times = await underTool({ name: subject, ...tool }, bench, SLOW.has(subject) ? 10 : runs);
      const ours = subject === 'sup';
      const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
      const what = 'exit → new process';
      figures.push(
        { subject, what: `${what}, p50`, value: p50, unit: 'ms', ...(ours && { goal: { atMost: 4 } }) },
        { subject, what: `${what}, p99`, value: p99, unit: 'ms', ...(ours && { goal: { atMost: 20 } }) },
        ratio({ subject, what: `${what}, p50, to bare Node` }, p50, reference),
      );
    }
    return figures;
  },
};
