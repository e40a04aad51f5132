// W21: reading a log of 2 GB with twenty million lines: the last lines, a time range by bisection, and
// searches compared with `grep` on the same file. The same log is there once more as rotated files.
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { projectId, serviceId } from '../../src/streams/domain/ids.ts';
import { layoutOf } from '../../src/streams/wire/layout.ts';
import { stampOf } from '../../src/streams/wire/log-line.ts';
import { command } from '../measure/command.ts';
import { inOwnDirectory } from '../measure/own-directory.ts';
import { peakOf } from '../measure/processes.ts';
import { repeat } from '../measure/repeat.ts';
import { median } from '../measure/statistics.ts';
import { ratio, type Figure } from '../report/figure.ts';
import { openSup, type Sup } from '../subjects/sup.ts';
import type { Workload } from '../workload.ts';

const LINES = 20_000_000;
const FILES = 40;
const LINES_AT_ONCE = 20_000;
const START = Date.parse('2026-11-21T00:00:00Z');
const LIMIT_MS = 300_000;

const lineOf = (number: number): string =>
  `${stampOf(new Date(START + 4 * number))} stdout ${String(number).padStart(8, '0')} GET /api/items/${(number * 7919) % 100_003} 200 ${number % 977} ms, served from cache`;

/** Writes the lines from `from` on. A line comes every 4 ms of their times. */
const writeLines = async (path: string, from: number, to: number): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'w', 0o600);
  for (let at = from; at < to; at += LINES_AT_ONCE) {
    const count = Math.min(LINES_AT_ONCE, to - at);
    await file.write(`${Array.from({ length: count }, (_, number) => lineOf(at + number)).join('\n')}\n`);
  }
  await file.close();
};

const logPath = (dataDir: string, name: string): string =>
  layoutOf(dataDir).log(serviceId(projectId('bench'), name));

const writeRotated = async (path: string, lines: number): Promise<void> => {
  for (let file = 0; file < FILES; file += 1) {
    const number = FILES - 1 - file;
    const [from, to] = [(lines / FILES) * file, (lines / FILES) * (file + 1)];
    await writeLines(number === 0 ? path : `${path}.${number}`, from, to);
  }
};

interface Timed {
  readonly seconds: number;
  /** Peak memory, MiB. */
  readonly peak: number;
  readonly stdout: string;
}

const timed = async (sup: Sup, args: readonly string[]): Promise<Timed> => {
  let peak = 0;
  let looking: NodeJS.Timeout | undefined;
  const onStart = (pid: number): void => {
    looking = setInterval(() => (peak = Math.max(peak, peakOf(pid) || 0)), 4);
  };
  const { took, stdout } = await sup.cli(['logs', '--raw', ...args], { onStart, limitMs: LIMIT_MS });
  clearInterval(looking);
  return { seconds: took / 1_000, peak: peak / 1024, stdout };
};

const best = async (sup: Sup, args: readonly string[]): Promise<Timed> => {
  const runs = await repeat(3, () => timed(sup, args));
  const [first] = runs;
  return {
    seconds: median(runs.map(({ seconds }) => seconds)),
    peak: Math.max(...runs.map(({ peak }) => peak)),
    stdout: first?.stdout ?? '',
  };
};

/** Resolves to the seconds of `grep -c`. Its exit status is 1 without a match. */
const grep = async (kind: string, pattern: string, path: string): Promise<number> => {
  const line = ['grep', '-c', kind, pattern, path];
  const runs = await repeat(3, () => command(line, { environment: { LC_ALL: 'C' }, limitMs: LIMIT_MS }));
  return median(runs.map(({ took }) => took)) / 1_000;
};

interface Search {
  readonly what: string;
  readonly kind: string;
  readonly pattern: string;
}

const searches = (lines: number): readonly Search[] => [
  { what: 'a text', kind: '-F', pattern: String(lines - 1).padStart(8, '0') },
  { what: 'a pattern with a text', kind: '-E', pattern: 'items/[0-9]+ 404 .*cache$' },
  { what: 'a pattern without one', kind: '-E', pattern: '[5-7]{9}' },
];

const searched = async (sup: Sup, name: string, lines: number): Promise<readonly Figure[]> => {
  const figures: Figure[] = [];
  for (const { what, kind, pattern } of searches(lines)) {
    const reference = await grep(kind, pattern, logPath(sup.dataDir, 'web'));
    const { seconds, peak } = await best(sup, [name, '--grep', pattern]);
    const about = `${name === 'web' ? 'one file' : `${FILES} files`}, ${what}`;
    figures.push(
      { subject: `grep ${kind}`, what: about, value: reference, unit: 's' },
      { subject: 'sup', what: about, value: seconds, unit: 's' },
      ratio({ subject: 'sup', what: `${about}, to grep`, goal: { atMost: 5 } }, seconds, reference),
      { subject: 'sup', what: `${about}: memory`, value: peak, unit: 'MiB' },
    );
  }
  return figures;
};

const lastLines = async (sup: Sup, name: string): Promise<readonly Figure[]> => {
  const files = name === 'web' ? 'one file' : `${FILES} files`;
  const middle = stampOf(new Date(START + 3_600_000));
  const range = ['--since', stampOf(new Date(START + 3_000_000)), '--until', middle, '-n', '3'];
  const last = await best(sup, [name, '-n', '5']);
  const within = await best(sup, [name, ...range]);
  return [
    { subject: 'sup', what: `${files}, the last 5 lines`, value: last.seconds, unit: 's' },
    {
      subject: 'sup',
      what: `${files}, 3 lines of a time range`,
      value: within.seconds,
      unit: 's',
      goal: { atMost: 0.2 },
    },
  ];
};

export const readingLogs: Workload = {
  id: 'W21',
  title: 'reading logs',
  run: (bench) =>
    inOwnDirectory(bench.scratch, async (place) => {
      const lines = bench.quick ? LINES / 20 : LINES;
      const sup = openSup(bench.dist, place);
      await writeLines(logPath(sup.dataDir, 'web'), 0, lines);
      await writeRotated(logPath(sup.dataDir, 'rotated'), lines);
      return [
        ...(await lastLines(sup, 'web')),
        ...(await lastLines(sup, 'rotated')),
        ...(await searched(sup, 'web', lines)),
        ...(await searched(sup, 'rotated', lines)),
      ];
    }),
};
