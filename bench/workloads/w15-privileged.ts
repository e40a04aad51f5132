// W15: how much longer the start of a service with privileged keys takes than the start of a plain service.
// Measured from the request until all services are recorded, which happens when each has executed its
// program. Memory limits are included if this machine has cgroup v2 with its controllers.
import { accessSync, chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { inOwnDirectory } from '../measure/own-directory.ts';
import { recorded } from '../measure/recorded.ts';
import { repeat } from '../measure/repeat.ts';
import { median } from '../measure/statistics.ts';
import type { Figure } from '../report/figure.ts';
import { openSup } from '../subjects/sup.ts';
import type { Bench, Workload } from '../workload.ts';

const PLAIN = { exec: ['/bin/sleep', '3600'], restart_policy: 'never' };
const CGROUPS = '/sys/fs/cgroup';

const hasMemoryController = (): boolean => {
  try {
    accessSync(`${CGROUPS}/cgroup.procs`);
    return readFileSync(`${CGROUPS}/cgroup.controllers`, 'utf8').includes('memory');
  } catch {
    return false;
  }
};

const confined = (): object => ({
  ...PLAIN,
  user: 'nobody',
  limits: {
    nofile: 1024,
    nice: 5,
    ...(hasMemoryController() && { cgroup: { root: `${CGROUPS}/sup-bench`, memory_max: '64M' } }),
  },
  isolation: {
    network: true,
    landlock: { ro_paths: ['/usr', '/lib', '/lib64', '/bin', '/etc'] },
    seccomp: 'baseline',
  },
});

const manifestOf = (count: number, service: object): string => {
  const services = Object.fromEntries(Array.from({ length: count }, (_, at) => [`s${at}`, service]));
  return stringify({ version: '3', projects: { bench: { services } } });
};

/** Resolves to the milliseconds from the request until all services run and are recorded. */
const start = (bench: Bench, count: number, service: object): Promise<number> =>
  inOwnDirectory(bench.scratch, async (place) => {
    // The services run as another user and start in this directory.
    for (const directory of [bench.scratch, place.directory]) chmodSync(directory, 0o755);
    const sup = openSup(bench.dist, place, ['--sys']);
    await sup.boot();
    try {
      await sup.write(manifestOf(count, service));
      const client = await sup.connect();
      const onRecord = await recorded(sup.dataDir, count);
      const began = performance.now();
      const selection = { manifest: join(place.directory, 'sup.yaml') };
      await client.call('command', { type: 'start', selection });
      const at = await onRecord();
      client.close();
      return at - began;
    } finally {
      await sup.end();
    }
  });

const figuresOf = async (bench: Bench, count: number, goal: number): Promise<readonly Figure[]> => {
  const rounds = bench.quick ? 1 : 3;
  const plain = median(await repeat(rounds, () => start(bench, count, PLAIN)));
  const whole = median(await repeat(rounds, () => start(bench, count, confined())));
  return [
    { subject: 'sup', what: `${count} plain services: request → all recorded`, value: plain, unit: 'ms' },
    { subject: 'sup', what: `${count} confined services: request → all recorded`, value: whole, unit: 'ms' },
    {
      subject: 'sup',
      what: `${count} at once: each, over a plain one`,
      value: (whole - plain) / count,
      unit: 'ms',
      goal: { atMost: goal },
    },
  ];
};

export const privileged: Workload = {
  id: 'W15',
  title: 'privileged start',
  run: async (bench) => {
    if (process.getuid?.() !== 0) throw new Error('W15 needs root');
    return [...(await figuresOf(bench, 2, 70)), ...(await figuresOf(bench, bench.quick ? 20 : 50, 25))];
  },
};
