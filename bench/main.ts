// The benchmarks: runs the workloads one after the other, prints their figures and goals, and writes
// bench/results.json if all workloads ran at full size. Figures that miss their goal stay in the table. A
// workload that fails is listed with its reason.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reapAll } from './measure/own-directory.ts';
import { thisMachine } from './measure/machine.ts';
import {
  isWhole,
  NotUnderstood,
  readOptions,
  rowsToRun,
  usage,
  type Known,
  type Options,
} from './options.ts';
import { isMet, type Figure, type Measured } from './report/figure.ts';
import { writeResults } from './report/results.ts';
import { number, table } from './report/table.ts';
import { PEER_NAMES, peers } from './subjects/peers.ts';
import { sup } from './subjects/sup.ts';
import type { Bench, Workload } from './workload.ts';
import { WORKLOADS } from './workloads/all.ts';

interface BenchDirectories {
  readonly root: string;
  readonly scratch: string;
  readonly line: readonly string[];
}

interface Outcome {
  readonly figures: readonly Measured[];
  readonly failures: Readonly<Record<string, string>>;
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);

const versionOf = async (root: string): Promise<string> =>
  /"version": "([^"]+)"/.exec(await readFile(join(root, 'package.json'), 'utf8'))?.[1] ?? 'unknown';

const prepare = async ({ root, scratch }: BenchDirectories, options: Options): Promise<Bench> => {
  const dist = join(scratch, 'dist');
  const others = await peers({ names: options.peers, scratch, say });
  return {
    root,
    dist,
    scratch,
    quick: options.quick,
    tools: [sup(dist, await versionOf(root)), ...others],
    say,
    rows: [],
  };
};

/** Yields all figures at once, or the figures of each row as soon as the row is done. */
async function* figuresOf(bench: Bench, { run }: Workload): AsyncGenerator<readonly Figure[]> {
  const figures = run(bench);
  if (Symbol.asyncIterator in figures) yield* figures;
  else yield await figures;
}

const carryOut = async (bench: Bench, workload: Workload): Promise<Outcome> => {
  const { id, title } = workload;
  say(`${id}  ${title}`);
  const figures: Measured[] = [];
  try {
    for await (const some of figuresOf(bench, workload)) {
      figures.push(...some.map((figure) => ({ workload: id, ...figure })));
      for (const { subject, what, value, unit } of some)
        say(`${id}    ${subject}, ${what}: ${number(value)} ${unit}`);
    }
    return { figures, failures: {} };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    say(`${id}  failed: ${reason}`);
    return { figures, failures: { [id]: reason } };
  }
};

const carryOutAll = async (bench: Bench, options: Options): Promise<Outcome> => {
  const outcomes: Outcome[] = [];
  for (const workload of WORKLOADS) {
    const rows = rowsToRun(options, workload.id);
    if (rows !== undefined) outcomes.push(await carryOut({ ...bench, rows }, workload));
  }
  return {
    figures: outcomes.flatMap(({ figures }) => figures),
    failures: Object.fromEntries(outcomes.flatMap(({ failures }) => Object.entries(failures))),
  };
};

const summary = ({ figures, failures }: Outcome): string => {
  const judged = figures.map(isMet).filter((met) => met !== undefined);
  const met = judged.filter(Boolean).length;
  const failed = Object.keys(failures);
  const tail = failed.length === 0 ? '' : `; could not be carried out: ${failed.join(', ')}`;
  return `${met} of ${judged.length} goals met${tail}`;
};

/** Kills everything that the measurements have started. */
export const abandon = reapAll;

const KNOWN: Known = {
  workloads: WORKLOADS.map(({ id }) => id),
  rows: WORKLOADS.flatMap(({ id, rows = [] }) => rows.map((row) => `${id}:${row}`)),
  peers: PEER_NAMES,
};

/**
 * Resolves to the exit status: 0 if everything could be measured. A missed goal does not count as a failure.
 */
export const main = async (directories: BenchDirectories): Promise<number> => {
  const { line } = directories;
  if (line.includes('--help')) {
    process.stdout.write(`${usage(KNOWN)}\n`);
    return 0;
  }
  try {
    return await measured(directories, readOptions(line, KNOWN));
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error;
    say(`${error.message}\n${usage(KNOWN)}`);
    return 2;
  }
};

const measured = async (directories: BenchDirectories, options: Options): Promise<number> => {
  const at = new Date();
  const machine = thisMachine();
  const began = performance.now();
  const bench = await prepare(directories, options);
  const outcome = await carryOutAll(bench, options);
  const seconds = Math.round((performance.now() - began) / 1000);
  const versions = Object.fromEntries(bench.tools.map(({ name, version }) => [name, version]));
  const run = { at, seconds, machine, versions, quick: options.quick, ...outcome };
  if (isWhole(options)) await writeResults(join(directories.root, 'bench/results.json'), run);
  else say('bench/results.json is left as it is: that was only a part, or a quick look');
  process.stdout.write(`${table(outcome.figures)}\n\n${summary(outcome)} in ${seconds} s\n`);
  return Object.keys(outcome.failures).length === 0 ? 0 : 1;
};
