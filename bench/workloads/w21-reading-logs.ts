// W21: reading a log of 2 GB with twenty million lines: the last lines, a time range by bisection, and
// searches compared with `grep` on the same files. The log is first one file, then rotated files. A smaller
// log is compressed as the supervisor does it, and compared with `zgrep`.
import { mkdir, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { compressed } from '../../src/sinks/logs/file/compress-log.ts';
import { projectId, serviceId } from '../../src/streams/domain/ids.ts';
import { layoutOf } from '../../src/streams/wire/layout.ts';
import { STAMP_LENGTH, stampOf } from '../../src/streams/wire/log-line.ts';
import { compressedPath, rotatedPath } from '../../src/streams/wire/log-file-names.ts';
import { command } from '../measure/command.ts';
import { peakOf } from '../measure/processes.ts';
import { repeat } from '../measure/repeat.ts';
import { median } from '../measure/statistics.ts';
import { ratio, type Figure } from '../report/figure.ts';
import { openSup, type Sup } from '../subjects/sup.ts';
import { wantedRows, type Bench, type Workload } from '../workload.ts';

const ROUNDS = 3;
const LIMIT_MS = 100_000;

// The log consists of blocks of 10,000 lines. All lines of a block are in one minute, and their numbers have
// the same first digits. So the next block is made by replacing the minute and these digits.
const BLOCKS = 2_000;
/**
 * Blocks of the compressed log, with files of 12 MB. It is smaller, because decompressing twenty million
 * lines takes minutes.
 */
const FEWER_BLOCKS = 240;
const QUICK_BLOCKS = 80;
const LINES = 10_000;
const LINE_MS = 6;
const LINE_BYTES = 100;
const FILES = 40;
const FEWER_FILES = 20;
const START = Date.parse('2026-11-21T00:00:00Z');
const STREAM = ' stdout ';

const timeOf = (block: number, line = 0): string =>
  stampOf(new Date(START + LINE_MS * (block * LINES + line)));
const digits = (number: number, length: number): string => String(number).padStart(length, '0');

const firstBlock = (): Buffer => {
  const lines = Array.from({ length: LINES }, (_, line) => {
    const request = `GET /api/items/${digits((line * 7919) % 100_003, 6)} 200 ${digits(line % 977, 3)} ms`;
    return `${timeOf(0, line)}${STREAM}${digits(line, 8)} ${request}, served from the cache\n`;
  });
  return Buffer.from(lines.join(''));
};

/** Changes a block into the block with this number. */
const renumber = (bytes: Buffer, block: number): void => {
  const minute = Buffer.from(timeOf(block).slice(0, 'YYYY-MM-DDTHH:MM'.length));
  const number = Buffer.from(digits(block, 4));
  for (let at = 0; at < bytes.length; at += LINE_BYTES) {
    minute.copy(bytes, at);
    number.copy(bytes, at + STAMP_LENGTH + STREAM.length);
  }
};

interface Log {
  /** The name of the log in rows and figures. */
  readonly name: string;
  readonly what: string;
  /** Number of files. */
  readonly files: number;
  readonly blocks: number;
  /** The program that searches the same files for comparison: `zgrep` if rotated files are compressed. */
  readonly peer: 'grep' | 'zgrep';
}

const LOGS: readonly Log[] = [
  { name: 'one', what: 'one file', files: 1, blocks: BLOCKS, peer: 'grep' },
  { name: 'rotated', what: `${FILES} files`, files: FILES, blocks: BLOCKS, peer: 'grep' },
  {
    name: 'compressed',
    what: `${FEWER_FILES} compressed files`,
    files: FEWER_FILES,
    blocks: FEWER_BLOCKS,
    peer: 'zgrep',
  },
];

/** A log on disk. */
interface Written extends Log {
  readonly sup: Sup;
  /** The paths of its files, oldest first. */
  readonly paths: readonly string[];
}

const write = async ({ sup, paths, blocks }: Written): Promise<void> => {
  const bytes = firstBlock();
  const each = blocks / paths.length;
  await mkdir(dirname(paths[0] ?? sup.dataDir), { recursive: true });
  for (const [index, path] of paths.entries()) {
    const file = await open(path, 'w', 0o600);
    for (let block = index * each; block < (index + 1) * each; block += 1) {
      renumber(bytes, block);
      await file.write(bytes);
    }
    await file.close();
  }
};

/** Compresses the rotated files. Resolves to the paths of all files of the log. */
const compress = async (paths: readonly string[]): Promise<readonly string[]> => {
  const [log = '', ...rotated] = paths.toReversed();
  // The timers of the compression do not keep the process alive, but this timer does.
  const alive = setInterval(() => undefined, LIMIT_MS);
  // All files are compressed at the same time, because each compression pauses half of the time.
  const each = rotated.map(async (path) => {
    const copy = await compressed({ log, path }, new AbortController().signal);
    await rename(copy.path, compressedPath(path));
    await rm(path);
  });
  await Promise.all(each);
  clearInterval(alive);
  return [log, ...rotated.map(compressedPath)].reverse();
};

interface Timed {
  readonly seconds: number;
  /** Peak memory, MiB. */
  readonly peak: number;
}

const timed = async (sup: Sup, args: readonly string[], lines: number): Promise<Timed> => {
  let peak = 0;
  let looking: NodeJS.Timeout | undefined;
  const onStart = (pid: number): void => {
    looking = setInterval(() => (peak = Math.max(peak, peakOf(pid) || 0)), 4);
  };
  const { took, stdout } = await sup.cli(['logs', 'web', '--raw', ...args], { onStart, limitMs: LIMIT_MS });
  clearInterval(looking);
  const found = stdout.split('\n').length - 1;
  if (found !== lines) throw new Error(`logs ${args.join(' ')}: ${found} lines instead of ${lines}`);
  return { seconds: took / 1_000, peak: peak / 1024 };
};

const median3 = async (sup: Sup, args: readonly string[], lines: number): Promise<Timed> => {
  const runs = await repeat(ROUNDS, () => timed(sup, args, lines));
  return {
    seconds: median(runs.map(({ seconds }) => seconds)),
    peak: Math.max(...runs.map(({ peak }) => peak)),
  };
};

interface Pattern {
  readonly kind: '-E' | '-F';
  readonly pattern: string;
}

/** Resolves to the seconds of `grep -c` or `zgrep -c`. Its exit status is 1 without a match. */
const grep = async ({ peer, paths }: Written, { kind, pattern }: Pattern): Promise<number> => {
  const line = [peer, '-c', kind, pattern, ...paths];
  const runs = await repeat(ROUNDS, () => command(line, { environment: { LC_ALL: 'C' }, limitMs: LIMIT_MS }));
  return median(runs.map(({ took }) => took)) / 1_000;
};

interface Search {
  readonly name: string;
  readonly what: string;
  readonly kind: Pattern['kind'];
  readonly pattern: (lines: number) => string;
  readonly found: number;
}

const SEARCHES: readonly Search[] = [
  {
    ...{ name: 'text', what: 'a text', kind: '-F', found: 1 },
    pattern: (lines) => digits(lines - 1, 8),
  },
  {
    ...{ name: 'pattern', what: 'a pattern with a text', kind: '-E', found: 0 },
    pattern: () => 'items/[0-9]+ 404 .*cache$',
  },
  {
    ...{ name: 'any', what: 'a pattern without one', kind: '-E', found: 0 },
    pattern: () => '[5-7]{9}',
  },
];

/** The goal for the time of `sup`, as a multiple of the time of the other program. */
const GOAL = { atMost: 5 };

const searched = async (log: Written, search: Search): Promise<readonly Figure[]> => {
  const { kind, found } = search;
  const pattern = search.pattern(log.blocks * LINES);
  const reference = await grep(log, { kind, pattern });
  const { seconds, peak } = await median3(log.sup, ['--grep', pattern], found);
  const what = `${log.what}, ${search.what}`;
  return [
    { subject: `${log.peer} ${kind}`, what, value: reference, unit: 's' },
    { subject: 'sup', what, value: seconds, unit: 's' },
    ratio({ subject: 'sup', what: `${what}, to ${log.peer}`, goal: GOAL }, seconds, reference),
    { subject: 'sup', what: `${what}: memory`, value: peak, unit: 'MiB' },
  ];
};

/** Compares the time of a time range with that of a search for one minute. */
const toSearch = async (log: Written, seconds: number): Promise<readonly Figure[]> => {
  const pattern = timeOf(log.blocks * 0.45).slice(0, 'YYYY-MM-DDTHH:MM'.length);
  const reference = await grep(log, { kind: '-F', pattern });
  const what = `${log.what}, a minute`;
  return [
    { subject: `${log.peer} -F`, what, value: reference, unit: 's' },
    ratio({ subject: 'sup', what: `${what}, to ${log.peer}`, goal: GOAL }, seconds, reference),
  ];
};

const lastLines = async (log: Written): Promise<readonly Figure[]> => {
  const { sup, what, blocks, peer } = log;
  const range = ['--since', timeOf(blocks * 0.4), '--until', timeOf(blocks * 0.5), '-n', '3'];
  const last = await median3(sup, ['-n', '5'], 5);
  const within = await median3(sup, range, 3);
  const goal = peer === 'grep' && { goal: { atMost: 0.2 } };
  return [
    { subject: 'sup', what: `${what}, the last 5 lines`, value: last.seconds, unit: 's' },
    { subject: 'sup', what: `${what}, 3 lines of a time range`, value: within.seconds, unit: 's', ...goal },
    { subject: 'sup', what: `${what}, 3 lines of a time range: memory`, value: within.peak, unit: 'MiB' },
    ...(peer === 'grep' ? [] : await toSearch(log, within.seconds)),
  ];
};

interface Row {
  readonly row: string;
  readonly log: Log;
  readonly measure: (log: Written) => Promise<readonly Figure[]>;
}

const ROWS: readonly Row[] = LOGS.flatMap((log) => [
  { row: `${log.name}-time`, log, measure: lastLines },
  ...SEARCHES.map((search) => ({
    ...{ row: `${log.name}-${search.name}`, log },
    measure: (written: Written) => searched(written, search),
  })),
]);

const written = async (bench: Bench, log: Log): Promise<Written> => {
  const sup = openSup(bench.dist, {
    directory: await mkdtemp(join(bench.scratch, 'w-')),
    environment: {},
  });
  const path = layoutOf(sup.dataDir).log(serviceId(projectId('bench'), 'web'));
  const paths = Array.from({ length: log.files }, (_, number) =>
    number === 0 ? path : rotatedPath(path, number),
  );
  const all = { ...log, sup, paths: paths.reverse(), blocks: bench.quick ? QUICK_BLOCKS : log.blocks };
  const began = performance.now();
  await write(all);
  const ready = log.peer === 'zgrep' ? { ...all, paths: await compress(all.paths) } : all;
  bench.say(`W21    ${log.name}: written in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  return ready;
};

export const readingLogs: Workload = {
  id: 'W21',
  title: 'reading logs',
  rows: ROWS.map(({ row }) => row),
  run: async function* (bench) {
    for (const log of LOGS) {
      const rows = wantedRows(bench, ROWS).filter((row) => row.log === log);
      if (rows.length === 0) continue;
      const all = await written(bench, log);
      for (const { measure } of rows) yield await measure(all);
      // Two logs at the same time would need twice the space.
      await rm(all.sup.dataDir, { recursive: true });
    }
  },
};
