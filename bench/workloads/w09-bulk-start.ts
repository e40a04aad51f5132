// W9: many independent services are started at once, measured in two ways. For each tool: from the start of
// its command to the start of the last process, by the kernel's times (resolution 10 ms). For `sup` also over
// the control socket: from the request until all processes are recorded in the state file, compared with a
// bare spawn loop in Node.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { succeed } from '../measure/command.ts';
import { inOwnDirectory } from '../measure/own-directory.ts';
import { carriersOf, machineUptime, nameOf, startedAt } from '../measure/processes.ts';
import { recorded } from '../measure/recorded.ts';
import { repeat } from '../measure/repeat.ts';
import { median } from '../measure/statistics.ts';
import { until } from '../measure/until.ts';
import { ratio, type Figure } from '../report/figure.ts';
import { openSup, type Sup } from '../subjects/sup.ts';
import type { Program, Tool } from '../subjects/subject.ts';
import type { Bench, Workload } from '../workload.ts';

const SLEEP = ['/bin/sleep', '3600'];
const programs = (count: number): readonly Program[] =>
  Array.from({ length: count }, (_, at) => ({ name: `s${at}`, argv: SLEEP }));

const sleepers = (mark: string): readonly number[] =>
  carriersOf(mark).filter((pid) => nameOf(pid) === 'sleep');

interface Case {
  readonly bench: Bench;
  readonly count: number;
}

/** Resolves to the milliseconds from the start of the command to the start of the last process. */
const byCommand = (tool: Tool, { bench, count }: Case): Promise<number> =>
  inOwnDirectory(bench.scratch, async (place) => {
    const subject = tool.open(place);
    await subject.boot();
    await subject.declare(programs(count));
    let began = Number.NaN;
    await subject.start((pid) => (began = startedAt(pid)));
    const pids = await until(
      () => {
        const sleeping = sleepers(place.directory);
        return sleeping.length >= count ? sleeping : undefined;
      },
      { what: `${count} processes`, limitMs: 60_000, pauseMs: 200 },
    );
    const last = Math.max(...pids.map(startedAt));
    await subject.end();
    return last - began;
  });

interface Answered {
  /**
   * Times from the request, ms. `born`: to the start of the last process (resolution 10 ms). `recorded`:
   * until all processes are recorded. `replied`: until the reply.
   */
  readonly born: number;
  readonly recorded: number;
  readonly replied: number;
}

const startOnce = async (sup: Sup, directory: string, count: number): Promise<Answered> => {
  const client = await sup.connect();
  const onRecord = await recorded(sup.dataDir, count);
  const [began, uptime] = [performance.now(), machineUptime()];
  await client.call('command', { type: 'start', selection: { manifest: join(directory, 'sup.yaml') } });
  const replied = performance.now() - began;
  const at = await onRecord();
  client.close();
  const born = Math.max(...sleepers(directory).map(startedAt)) - uptime;
  return { born, recorded: at - began, replied };
};

/** How often a supervisor starts the services before the start that is measured as `later`. */
const STARTS_BEFORE = 2;

interface Starts {
  /** The first start of a supervisor. */
  readonly first: Answered;
  /** A later start, for which V8 has already compiled the code that starts services. */
  readonly later: Answered;
}

const overSocket = ({ bench, count }: Case): Promise<Starts> =>
  inOwnDirectory(bench.scratch, async (place) => {
    const sup = openSup(bench.dist, place);
    await sup.boot();
    await sup.declare(programs(count));
    const answers = await repeat(STARTS_BEFORE + 1, async (round) => {
      if (round > 0) await sup.cli(['forget', join(place.directory, 'sup.yaml')]);
      return startOnce(sup, place.directory, count);
    });
    await sup.end();
    const [first, later] = [answers[0], answers.at(-1)];
    if (first === undefined || later === undefined) throw new Error('no start was measured');
    return { first, later };
  });

const bareLoop = ({ bench, count }: Case): Promise<number> =>
  inOwnDirectory(bench.scratch, async ({ directory, environment }) => {
    const record = join(directory, 'pids.json');
    const fixture = join(bench.root, 'bench/fixtures/bare-spawn.js');
    const argv = [process.execPath, fixture, String(count), record, ...SLEEP];
    const { stdout } = await succeed(argv, { environment });
    if (!(await readFile(record, 'utf8')).endsWith(']')) throw new Error('the bare loop wrote no record');
    return Number(stdout);
  });

const GOALS: ReadonlyMap<number, number> = new Map([
  [100, 200],
  [500, 600],
]);

/** Peers are not measured with more services than in their published figures. */
const MOST_OF_PEERS = 500;

const commandFigures = async (each: Case): Promise<readonly Figure[]> => {
  const figures: Figure[] = [];
  for (const tool of each.bench.tools) {
    const ours = tool.name === 'sup';
    if (!ours && each.count > MOST_OF_PEERS) continue;
    const times = await repeat(ours && !each.bench.quick ? 3 : 1, () => byCommand(tool, each));
    const goal = ours ? GOALS.get(each.count) : undefined;
    figures.push({
      subject: tool.name,
      what: `${each.count}: command → last process`,
      value: median(times),
      unit: 'ms',
      ...(goal !== undefined && { goal: { atMost: goal } }),
    });
  }
  return figures;
};

const socketFigures = async (each: Case): Promise<readonly Figure[]> => {
  const rounds = each.bench.quick ? 1 : 3;
  const reference = median(await repeat(rounds, () => bareLoop(each)));
  const answers = await repeat(rounds, () => overSocket(each));
  const of = (key: keyof Answered): number => median(answers.map(({ first }) => first[key]));
  const later = median(answers.map((answer) => answer.later.recorded));
  const again = `${each.count}: request → recorded, third start of one supervisor`;
  const value = of('recorded');
  const born = `${each.count}: request → last process`;
  const what = `${each.count}: request → all spawned and recorded`;
  return [
    { subject: 'bare Node', what: `${each.count}: spawn loop`, value: reference, unit: 'ms' },
    { subject: 'sup', what: born, value: of('born'), unit: 'ms' },
    ratio({ subject: 'sup', what: `${born}, to the loop` }, of('born'), reference),
    { subject: 'sup', what, value, unit: 'ms' },
    ratio({ subject: 'sup', what: `${what}, to the loop`, goal: { atMost: 1.6 } }, value, reference),
    { subject: 'sup', what: again, value: later, unit: 'ms' },
    ratio({ subject: 'sup', what: `${again}, to the loop`, goal: { atMost: 1.35 } }, later, reference),
    {
      subject: 'sup',
      what: `${each.count}: request → reply (ready: alive for 250 ms)`,
      value: of('replied'),
      unit: 'ms',
    },
  ];
};

/** Returns the time for `most` services divided by the time for `least` services. */
const growth = (figures: readonly Figure[], least: number, most: number): Figure => {
  const of = (count: number): number =>
    figures.find(({ what, unit }) => unit === 'ms' && what === `${count}: request → all spawned and recorded`)
      ?.value ?? Number.NaN;
  const what = `${most} services, to ${least}`;
  return ratio({ subject: 'sup', what, goal: { atMost: (11 * most) / least / 10 } }, of(most), of(least));
};

export const bulkStart: Workload = {
  id: 'W9',
  title: 'bulk start',
  run: async (bench) => {
    const counts = bench.quick ? [10, 100] : [100, 500, 1000];
    const figures: Figure[] = [];
    for (const count of counts)
      figures.push(...(await commandFigures({ bench, count })), ...(await socketFigures({ bench, count })));
    return [...figures, growth(figures, counts[0] ?? 0, counts.at(-1) ?? 0)];
  },
};
