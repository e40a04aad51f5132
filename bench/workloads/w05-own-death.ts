// W5: services print numbers in five ways (one write per line; blocks of 4 KiB as from stdio; without a
// newline; into a log that is rotated permanently; at full speed), while the supervisor is killed with
// SIGKILL and started again many times. Counts numbers that are missing, torn or duplicated in the logs, and
// changed pids.
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { projectId, serviceId } from '../../src/streams/domain/ids.ts';
import { guardianOf } from '../../src/sources/process/guardian.ts';
import { layoutOf } from '../../src/streams/wire/layout.ts';
import { inOwnDirectory, type Place } from '../measure/own-directory.ts';
import { isAlive } from '../measure/processes.ts';
import { until } from '../measure/until.ts';
import type { Figure } from '../report/figure.ts';
import { projectOf } from '../subjects/manifest.ts';
import { openSup, type Sup } from '../subjects/sup.ts';
import type { Bench, Workload } from '../workload.ts';

/** For each writer, how it prints and how its log is rotated. */
const WRITERS = {
  'a write per line': { manner: 'line', max_bytes: 10_000_000 },
  'blocks of 4 KiB': { manner: 'block', max_bytes: 10_000_000 },
  'no newline': { manner: 'endless', max_bytes: 10_000_000 },
  'rotated at 100 kB': { manner: 'block', max_bytes: 100_000 },
  flood: { manner: 'flood', max_bytes: 50_000_000 },
} as const;
type Writer = keyof typeof WRITERS;
export const WRITER_NAMES = Object.keys(WRITERS) as readonly Writer[];

const nameOf = (writer: Writer): string => `w${WRITER_NAMES.indexOf(writer)}`;

/** A service of the manifest that prints numbers. */
export interface Writing {
  readonly exec: readonly string[];
  readonly logs: { readonly sink: 'file'; readonly max_bytes: number; readonly max_files: number };
}

/** Returns the five writers as services of one project. */
export const writersOf = ({ root }: Bench, { directory }: Place): Readonly<Record<string, Writing>> =>
  Object.fromEntries(
    WRITER_NAMES.map((writer) => {
      const { manner, max_bytes } = WRITERS[writer];
      const program = join(root, 'test/fixtures/scenarios/printer.mjs');
      const exec = [process.execPath, program, manner, join(directory, nameOf(writer))];
      return [nameOf(writer), { exec, logs: { sink: 'file' as const, max_bytes, max_files: 10_000 } }];
    }),
  );

const pidsOf = async (sup: Sup): Promise<readonly (number | null)[]> => {
  const client = await sup.connect();
  const { projects } = await client.call('status', {});
  client.close();
  return projects.flatMap(({ services }) => services.map(({ pid }) => pid));
};

const killSupervisor = async (sup: Sup): Promise<void> => {
  const pid = sup.pid();
  const guardian = guardianOf(sup.dataDir);
  if (guardian !== undefined) process.kill(guardian.pid, 'SIGKILL');
  process.kill(pid, 'SIGKILL');
  await until(() => (isAlive(pid) ? undefined : true), {
    what: 'the death of the supervisor',
    limitMs: 5_000,
  });
};

interface Account {
  readonly printed: number;
  readonly lost: number;
  readonly torn: number;
  readonly doubled: number;
}

/** Resolves to the files of a log, oldest first. */
const filesOf = async (log: string): Promise<readonly string[]> => {
  const age = (name: string): number => Number(name.slice(basename(log).length + 1) || 0);
  const names = (await readdir(dirname(log))).filter((name) => name.startsWith(basename(log)));
  return names.toSorted((one, other) => age(other) - age(one)).map((name) => join(dirname(log), name));
};

const LINE = /^\S{27} stdout(\+?) ([\d ]*)$/;

export const accountOf = async (sup: Sup, writer: Writer, { directory }: Place): Promise<Account> => {
  const printed = Number(await readFile(join(directory, nameOf(writer)), 'utf8'));
  const seen = new Uint8Array(printed);
  let [torn, doubled] = [0, 0];
  let rest = '';
  const take = (word: string): void => {
    if (word === '') return;
    const number = Number(word);
    if (!(number < printed)) torn += 1;
    else if (seen[number] === 1) doubled += 1;
    else seen[number] = 1;
  };
  for (const file of await filesOf(layoutOf(sup.dataDir).log(serviceId(projectId('bench'), nameOf(writer)))))
    for (const line of (await readFile(file, 'latin1')).split('\n').slice(0, -1)) {
      const [, part, text] = LINE.exec(line) ?? [];
      if (text === undefined) torn += 1;
      const words = `${rest}${text ?? ''}`.split(' ');
      rest = part === '+' ? (words.pop() ?? '') : '';
      words.forEach(take);
    }
  return { printed, lost: seen.filter((mark) => mark === 0).length, torn, doubled };
};

export const figuresOf = (writer: Writer, { printed, lost, torn, doubled }: Account): readonly Figure[] => [
  { subject: 'sup', what: `${writer}: numbers printed`, value: printed, unit: '' },
  ...Object.entries({ lost, torn, doubled }).map(([what, value]) => ({
    subject: 'sup',
    what: `${writer}: ${what}`,
    value,
    unit: '',
    goal: { atMost: 0 },
  })),
];

export const ownDeath: Workload = {
  id: 'W5',
  title: 'own death',
  run: (bench) =>
    inOwnDirectory(bench.scratch, async (place) => {
      const kills = bench.quick ? 3 : 40;
      const sup = openSup(bench.dist, place);
      const start = ['start', '-c', await sup.write(projectOf(writersOf(bench, place))), '--daemonize'];
      await sup.cli(start);
      const before = await pidsOf(sup);
      for (let kill = 0; kill < kills; kill += 1) {
        await pause(200 + Math.random() * 300);
        await killSupervisor(sup);
        await pause(Math.random() * 100);
        await sup.cli(start);
      }
      const after = await pidsOf(sup);
      await sup.end();
      const figures: Figure[] = [{ subject: 'sup', what: 'kills', value: kills, unit: '' }];
      for (const writer of WRITER_NAMES)
        figures.push(...figuresOf(writer, await accountOf(sup, writer, place)));
      const changed = before.filter((pid, at) => pid !== after[at]).length;
      figures.push({ subject: 'sup', what: 'pids changed', value: changed, unit: '', goal: { atMost: 0 } });
      return figures;
    }),
};
