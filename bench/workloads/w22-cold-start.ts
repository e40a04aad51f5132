// W22: how long a user waits for the first service. Measures from the start of `sup start`, without a running
// supervisor, until the program of the service runs, compared with an empty Node program. First of all the
// program makes a file; the kernel's time of this file is the end of the measurement.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../measure/command.ts';
import { inOwnDirectory } from '../measure/own-directory.ts';
import { repeat } from '../measure/repeat.ts';
import { percentile } from '../measure/statistics.ts';
import { until } from '../measure/until.ts';
import { ratio } from '../report/figure.ts';
import { openSup } from '../subjects/sup.ts';
import type { Bench, Workload } from '../workload.ts';

/** Resolves to the milliseconds from the start of the command to the start of the program. */
const coldStart = (bench: Bench): Promise<number> =>
  inOwnDirectory(bench.scratch, async (place) => {
    const sup = openSup(bench.dist, place);
    const mark = join(place.directory, 'began');
    await sup.declare([{ name: 'one', argv: ['/bin/sh', '-c', `: >${mark}; exec sleep 3600`] }]);
    const began = performance.timeOrigin + performance.now();
    await sup.start();
    const { mtimeMs } = await until(() => stat(mark).catch(() => undefined), {
      what: 'the file of the service',
      limitMs: 10_000,
      pauseMs: 10,
    });
    await sup.end();
    return mtimeMs - began;
  });

export const firstService: Workload = {
  id: 'W22',
  title: 'cold start',
  run: async (bench) => {
    const rounds = bench.quick ? 3 : 30;
    const times = await repeat(rounds, async () => ({
      bare: (await command([process.execPath, '-e', '0'])).took,
      cold: await coldStart(bench),
    }));
    const [bare, cold] = [times.map((round) => round.bare), times.map((round) => round.cold)];
    const reference = percentile(bare, 0.5);
    const [subject, what] = ['sup', 'start without a supervisor → process'];
    return [
      { subject: 'bare Node', what: 'node -e 0, p50', value: reference, unit: 'ms' },
      { subject, what: `${what}, p50`, value: percentile(cold, 0.5), unit: 'ms' },
      { subject, what: `${what}, p99`, value: percentile(cold, 0.99), unit: 'ms' },
      ratio(
        { subject, what: `${what}, p50, to node -e 0`, goal: { atMost: 4 } },
        percentile(cold, 0.5),
        reference,
      ),
    ];
  },
};
