// W3: the CPU use and the wake-ups of the supervisor while its services are quiet.
import { setTimeout as pause } from 'node:timers/promises';
import { inOwnDirectory } from '../measure/own-directory.ts';
import { cpuOf, wakeUpsOf } from '../measure/processes.ts';
import type { Figure } from '../report/figure.ts';
import { openSup } from '../subjects/sup.ts';
import type { Bench, Workload } from '../workload.ts';

/**
 * Waiting time before the measurement, ms. In the first minute V8 optimizes the code that takes samples,
 * which is not a cost of idling.
 */
const SETTLE_MS = 60_000;
const QUICK_SETTLE_MS = 12_000;

interface Idle {
  /** CPU use, percent of one core. */
  readonly cpu: number;
  readonly wakeUpsPerSecond: number;
}

const idleWith = (bench: Bench, count: number): Promise<Idle> =>
  inOwnDirectory(bench.scratch, async (place) => {
    const sup = openSup(bench.dist, place);
    const service = { exec: ['/bin/sleep', '3600'], restart_policy: 'never' };
    const services = Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${at}`, service]));
    const manifest = {
      version: '2',
      metrics: { sample_interval_secs: 1 },
      projects: { bench: { services } },
    };
    const file = await sup.write(JSON.stringify(manifest));
    await sup.cli(['start', '-c', file, '--daemonize', '--quiet']);
    await pause(bench.quick ? QUICK_SETTLE_MS : SETTLE_MS);
    const pid = sup.pid();
    const [began, cpu, wakeUps] = [performance.now(), cpuOf(pid), wakeUpsOf(pid)];
    await pause(bench.quick ? 3_000 : 20_000);
    const seconds = (performance.now() - began) / 1000;
    const idle = {
      cpu: (cpuOf(pid) - cpu) / seconds / 10,
      wakeUpsPerSecond: (wakeUpsOf(pid) - wakeUps) / seconds,
    };
    await sup.end();
    return idle;
  });

export const idle: Workload = {
  id: 'W3',
  title: 'idle cost',
  run: async (bench) => {
    const figures: Figure[] = [];
    for (const count of bench.quick ? [10] : [10, 100, 500]) {
      const { cpu, wakeUpsPerSecond } = await idleWith(bench, count);
      const goal = count === 100 ? { goal: { atMost: 0.5 } } : {};
      figures.push(
        { subject: 'sup', what: `${count} quiet services: CPU`, value: cpu, unit: '% of a core', ...goal },
        { subject: 'sup', what: `${count} quiet services: wake-ups`, value: wakeUpsPerSecond, unit: '/s' },
      );
    }
    return figures;
  },
};
