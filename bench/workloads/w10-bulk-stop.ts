// W10: stops a hundred services that end on SIGTERM, and ten that ignore it.
import { inOwnDirectory } from '../measure/own-directory.ts';
import { carriersOf, nameOf } from '../measure/processes.ts';
import { repeat } from '../measure/repeat.ts';
import { median } from '../measure/statistics.ts';
import type { Figure } from '../report/figure.ts';
import type { Program, Tool } from '../subjects/subject.ts';
import type { Bench, Workload } from '../workload.ts';

const STOP_SECONDS = 2;
const obliging = (at: number): Program => ({ name: `s${at}`, argv: ['/bin/sleep', '3600'] });
const stubborn = (at: number): Program => ({
  name: `s${at}`,
  argv: ['/bin/bash', '-c', 'trap "" TERM INT; while :; do sleep 3600; done'],
  stopSeconds: STOP_SECONDS,
});

const of = (count: number, make: (at: number) => Program): readonly Program[] =>
  Array.from({ length: count }, (_, at) => make(at));

interface Case {
  readonly bench: Bench;
  readonly programs: readonly Program[];
}

/**
 * Resolves to the time of the stop command, ms. If processes are still alive when the command returns, their
 * number is printed.
 */
const stopOf = (tool: Tool, { bench, programs }: Case): Promise<number> =>
  inOwnDirectory(bench.scratch, async (place) => {
    const subject = tool.open(place);
    const working = (): readonly number[] =>
      carriersOf(place.directory).filter((pid) => ['sleep', 'bash'].includes(nameOf(pid)));
    await subject.boot();
    await subject.declare(programs);
    await subject.start();
    const { took } = await subject.stop();
    const left = working().length;
    await subject.end();
    if (left > 0) bench.say(`     ${tool.name}: ${left} processes alive after its stop`);
    return took;
  });

export const bulkStop: Workload = {
  id: 'W10',
  title: 'bulk stop',
  run: async (bench) => {
    const [many, few] = bench.quick ? [20, 2] : [100, 10];
    const figures: Figure[] = [];
    for (const tool of bench.tools) {
      const ours = tool.name === 'sup';
      const rounds = ours && !bench.quick ? 3 : 1;
      const quick = await repeat(rounds, () => stopOf(tool, { bench, programs: of(many, obliging) }));
      const slow = await repeat(rounds, () => stopOf(tool, { bench, programs: of(few, stubborn) }));
      const common = { subject: tool.name, unit: 's' };
      const [one, two] = [{ atMost: 0.5 }, { atMost: STOP_SECONDS + 0.5 }];
      figures.push(
        {
          ...common,
          what: `${many} that end on TERM`,
          value: median(quick) / 1000,
          ...(ours && { goal: one }),
        },
        {
          ...common,
          what: `${few} that ignore it, stop_timeout ${STOP_SECONDS} s`,
          value: median(slow) / 1000,
          ...(ours && { goal: two }),
        },
      );
    }
    return figures;
  },
};
