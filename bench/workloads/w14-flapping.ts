// W14: two hundred services crash immediately, once per second, for a minute. Measures the CPU use, the bytes
// written to disk, the event loop delay, and the time until commands are answered.
import { setTimeout as pause } from 'node:timers/promises';
import { inOwnDirectory } from '../measure/own-directory.ts';
import { pings } from '../measure/pings.ts';
import { cpuOf, writtenBy } from '../measure/processes.ts';
import { percentile } from '../measure/statistics.ts';
import { projectOf } from '../subjects/manifest.ts';
import { openSup, type Sup } from '../subjects/sup.ts';
import type { Workload } from '../workload.ts';

const SERVICES = 200;

const manifest = (): string =>
  projectOf(
    Object.fromEntries(
      Array.from({ length: SERVICES }, (_, at) => [
        `s${at}`,
        { exec: ['/bin/false'], restart_policy: 'always', backoff: '1s', max_restarts: 1_000_000 },
      ]),
    ),
  );

/**
 * Runs `sup status` repeatedly until `overAt`. Resolves to the time of each run, ms. Exit status 1 is
 * expected, since services are failing.
 */
const questions = async (sup: Sup, overAt: number): Promise<readonly number[]> => {
  const times: number[] = [];
  while (performance.now() < overAt) {
    const { status, stderr, took } = await sup.attempt(['status']);
    if (status !== 0 && status !== 1) throw new Error(`status: ${String(status)} ${stderr}`);
    times.push(took);
    await pause(500);
  }
  return times;
};

export const flapping: Workload = {
  id: 'W14',
  title: 'flapping',
  run: (bench) =>
    inOwnDirectory(bench.scratch, async (place) => {
      const seconds = bench.quick ? 5 : 60;
      const sup = openSup(bench.dist, place);
      await sup.boot();
      const file = await sup.write(manifest());
      await sup.attempt(['start', '-c', file, '--daemonize']);
      const [began, before, written] = [performance.now(), cpuOf(sup.pid()), writtenBy(sup.pid())];
      const overAt = began + seconds * 1000;
      const [delays, answers] = await Promise.all([
        pings(sup.dataDir, () => performance.now() < overAt),
        questions(sup, overAt),
      ]);
      const took = performance.now() - began;
      const cpu = ((cpuOf(sup.pid()) - before) / took) * 100;
      const kilobytes = (writtenBy(sup.pid()) - written) / took;
      const client = await sup.connect();
      const { services } = await client.call('inspect', {});
      client.close();
      await sup.end();
      const runs = services.filter(({ name }) => name !== 'bench-idle').map(({ run }) => run);
      const subject = 'sup';
      return [
        { subject, what: 'CPU of the supervisor', value: cpu, unit: '% of a core', goal: { atMost: 22 } },
        { subject, what: 'written to disk', value: kilobytes, unit: 'kB/s', goal: { atMost: 300 } },
        { subject, what: 'ping, p50', value: percentile(delays, 0.5), unit: 'ms' },
        { subject, what: 'ping, p99', value: percentile(delays, 0.99), unit: 'ms', goal: { atMost: 50 } },
        { subject, what: 'ping, longest', value: Math.max(...delays), unit: 'ms' },
        { subject, what: 'sup status meanwhile, p50', value: percentile(answers, 0.5), unit: 'ms' },
        { subject, what: 'sup status meanwhile, p99', value: percentile(answers, 0.99), unit: 'ms' },
        { subject, what: 'runs per service and second', value: percentile(runs, 0.5) / seconds, unit: '' },
      ];
    }),
};
