// W8: services print lines of 100 bytes at full speed into rotated files, with a timestamp on each line.
// Compared with s6-log, if that is installed (`--peer s6` installs it).
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { projectId, serviceId } from '../../src/streams/domain/ids.ts';
import { layoutOf } from '../../src/streams/wire/layout.ts';
import { succeed } from '../measure/command.ts';
import { inOwnDirectory } from '../measure/own-directory.ts';
import { pings } from '../measure/pings.ts';
import { cpuOf, peakOf, residentOf } from '../measure/processes.ts';
import { percentile, sum } from '../measure/statistics.ts';
import { until } from '../measure/until.ts';
import { ratio, type Figure } from '../report/figure.ts';
import { projectOf } from '../subjects/manifest.ts';
import { openSup, type Sup } from '../subjects/sup.ts';
import type { Bench, Workload } from '../workload.ts';

const LINE_BYTES = 100;
const ROTATE_BYTES = 50_000_000;
const MEGABYTE = 1_000_000;

/** Writes a file of numbered lines. A service prints it with `cat`, which costs almost no CPU time. */
const writeLines = async (file: string, lines: number): Promise<void> => {
  const filler = 'x'.repeat(LINE_BYTES - 9);
  const text = Array.from({ length: lines }, (_, at) => `${String(at).padStart(8, '0')}${filler}`).join('\n');
  await writeFile(file, `${text}\n`);
};

interface Case {
  readonly services: number;
  readonly linesEach: number;
}

const nameOf = (at: number): string => `s${at}`;

const manifest = (directory: string, { services }: Case): string =>
  projectOf(
    Object.fromEntries(
      Array.from({ length: services }, (_, at) => [
        nameOf(at),
        {
          command: `date +%s%N > ${join(directory, nameOf(at))}; exec cat ${join(directory, 'lines')}`,
          restart_policy: 'never',
          logs: { sink: 'file', max_bytes: ROTATE_BYTES, max_files: 100 },
        },
      ]),
    ),
  );

interface Written {
  readonly bytes: number;
  /** Time of the last write, in milliseconds since 1970. */
  readonly at: number;
  readonly files: readonly string[];
}

const writtenTo = async (directory: string): Promise<Written> => {
  const files = (await readdir(directory)).map((name) => join(directory, name));
  const stats = await Promise.all(files.map((file) => stat(file)));
  return {
    bytes: sum(stats.map(({ size }) => size)),
    at: Math.max(...stats.map(({ mtimeMs }) => mtimeMs)),
    files,
  };
};

/** Resolves when nothing has been written for half a second. */
const settled = (directory: string): Promise<Written> =>
  until(
    async () => {
      const written = await writtenTo(directory);
      return written.bytes > 0 && Date.now() - written.at > 500 ? written : undefined;
    },
    { what: 'the last line in the log', limitMs: 120_000, pauseMs: 50 },
  );

const lineCount = async (files: readonly string[]): Promise<number> => {
  let count = 0;
  for (const file of files)
    for await (const chunk of createReadStream(file, { encoding: 'latin1', highWaterMark: 1 << 20 }))
      count += String(chunk).split('\n').length - 1;
  return count;
};

interface Captured {
  readonly megabytesPerSecond: number;
  readonly lost: number;
  /** Growth of the supervisor's memory, MiB: its peak minus its memory before. */
  readonly growth: number;
  readonly cpuPerGigabyte: number;
  readonly pings: readonly number[];
}

const startOf = async (directory: string, { services }: Case): Promise<number> => {
  const names = Array.from({ length: services }, (_, at) => join(directory, nameOf(at)));
  const stamps = await Promise.all(names.map(async (file) => Number(await readFile(file, 'utf8')) / 1e6));
  return Math.min(...stamps);
};

const flood = async (sup: Sup, directory: string, each: Case): Promise<Captured> => {
  const file = await sup.write(manifest(directory, each));
  const pid = sup.pid();
  const [cpu, memory] = [cpuOf(pid), residentOf(pid)];
  const logs = dirname(layoutOf(sup.dataDir).log(serviceId(projectId('bench'), nameOf(0))));
  const work = { over: false };
  const delays = pings(sup.dataDir, () => !work.over);
  await sup.cli(['start', '-c', file, '--daemonize', '--quiet']);
  const written = await settled(logs);
  work.over = true;
  const bytes = each.services * each.linesEach * LINE_BYTES;
  return {
    megabytesPerSecond: bytes / MEGABYTE / ((written.at - (await startOf(directory, each))) / 1000),
    lost: each.services * each.linesEach - (await lineCount(written.files)),
    growth: (peakOf(pid) - memory) / 1024,
    cpuPerGigabyte: (cpuOf(pid) - cpu) / 1000 / (bytes / MEGABYTE / 1000),
    pings: await delays,
  };
};

const captured = (bench: Bench, each: Case): Promise<Captured> =>
  inOwnDirectory(bench.scratch, async (place) => {
    const sup = openSup(bench.dist, place);
    await writeLines(join(place.directory, 'lines'), each.linesEach);
    await sup.boot();
    const result = await flood(sup, place.directory, each);
    await sup.end();
    return result;
  });

/**
 * Resolves to the MB/s of s6-log for the same lines, with its ISO timestamps; to `undefined` if it is not
 * installed.
 */
const s6Log = (bench: Bench, lines: number): Promise<number | undefined> =>
  inOwnDirectory(bench.scratch, async ({ directory, environment }) => {
    const [file, logs] = [join(directory, 'lines'), join(directory, 'logs')];
    await writeLines(file, lines);
    await mkdir(logs);
    const line = `cat ${file} | s6-log T s${ROTATE_BYTES} n100 ${logs}`;
    const run = await succeed(['/bin/sh', '-c', `command -v s6-log && ${line}`], { environment }).catch(
      () => undefined,
    );
    return run && (lines * LINE_BYTES) / MEGABYTE / (run.took / 1000);
  });

const figuresOf = (who: string, result: Captured): readonly Figure[] => [
  {
    subject: 'sup',
    what: `${who}: speed`,
    value: result.megabytesPerSecond,
    unit: 'MB/s',
    goal: { atLeast: 250 },
  },
  { subject: 'sup', what: `${who}: lines lost`, value: result.lost, unit: '', goal: { atMost: 0 } },
  { subject: 'sup', what: `${who}: memory`, value: result.growth, unit: 'MiB more', goal: { atMost: 40 } },
  { subject: 'sup', what: `${who}: CPU`, value: result.cpuPerGigabyte, unit: 's per GB' },
  {
    subject: 'sup',
    what: `${who}: ping meanwhile, p99`,
    value: percentile(result.pings, 0.99),
    unit: 'ms',
    goal: { atMost: 20 },
  },
];

export const logCapture: Workload = {
  id: 'W8',
  title: 'log capture',
  run: async (bench) => {
    const lines = bench.quick ? 100_000 : 1_000_000;
    const one = await captured(bench, { services: 1, linesEach: lines });
    const twenty = await captured(bench, { services: 20, linesEach: lines / 10 });
    const reference = await s6Log(bench, lines);
    const beside = { subject: 'sup', what: 'one service: speed, to s6-log', goal: { atLeast: 1.5 } };
    return [
      ...figuresOf('one service', one),
      ...figuresOf('twenty services', twenty),
      ...(reference === undefined
        ? []
        : [
            { subject: 's6-log', what: 'the same lines', value: reference, unit: 'MB/s' },
            ratio(beside, one.megabytesPerSecond, reference),
          ]),
    ];
  },
};
