// K: the cost of one round of the kernel's loop, from an event to everything that is derived from its step,
// with ten to ten thousand services. A step should cost only as much as the services that it changes. The
// same events are repeated, without I/O.
import { requestId, runId, type ServiceId } from '../../src/streams/domain/ids.ts';
import type { Event } from '../../src/streams/domain/event.ts';
import { DEFAULT_SETTINGS } from '../../src/streams/domain/declared/settings.ts';
import { instant, ms } from '../../src/streams/domain/time.ts';
import type { Service } from '../../src/streams/domain/service/service.ts';
import { loopOf, type Loop } from '../../src/streams/kernel/loop.ts';
import { serviceAt } from '../../src/streams/kernel/service-table.ts';
import { emptyWorld } from '../../test/support/empty-world.ts';
import { idOf, manifestOf, specOf } from '../../test/support/spec.ts';
import { median } from '../measure/statistics.ts';
import { ratio, type Figure } from '../report/figure.ts';
import type { Workload } from '../workload.ts';

const AT = instant(1_000_000);
const probed: Partial<ReturnType<typeof specOf>> = {
  restartPolicy: 'always',
  maxRestarts: 1_000_000,
  backoff: { initial: ms(0), max: ms(0), factor: 1, jitter: 0 },
  deployment: {
    strategy: 'immediate',
    gracePeriod: ms(0),
    healthCheck: {
      probe: { tag: 'command', command: 'true' },
      interval: ms(1000),
      startInterval: ms(100),
      attemptTimeout: ms(1000),
      totalTimeout: ms(0),
      retries: 3,
    },
  },
};

/** Returns a running loop of the kernel whose sources and sinks do nothing. */
const runningLoop = (): Loop => {
  const loop = loopOf({ now: () => AT });
  loop.run(emptyWorld()).subscribe({
    error: (error: unknown) => {
      throw error;
    },
  });
  return loop;
};

const nameAt = (at: number): string => `s${at}`;
const ofRun = (service: ServiceId, run: number): { service: ServiceId; run: ReturnType<typeof runId> } => ({
  service,
  run: runId(run),
});

/** Returns a loop in which all services are up and healthy, in dependency chains of ten. */
const allUp = (size: number): Loop => {
  const services = Array.from({ length: size }, (_, at) =>
    specOf(nameAt(at), {
      ...probed,
      digest: nameAt(at),
      dependsOn: at % 10 === 0 ? [] : [{ service: idOf(nameAt(at - 1)), condition: 'started' }],
    }),
  );
  const request = requestId('bench');
  const manifest = manifestOf(...services);
  const booted = { registered: [], restored: [], found: [], sameBoot: true, warnings: [] };
  const loop = runningLoop();
  loop.post({ type: 'booted', settings: DEFAULT_SETTINGS, ...booted });
  const command = { type: 'start', selection: { manifest: manifest.path } } as const;
  loop.post({ type: 'requested', request, command });
  loop.post({
    type: 'manifests-loaded',
    request,
    loads: [{ path: manifest.path, manifest, problems: [] }],
  });
  for (let at = 0; at < size; at += 1) {
    const run = ofRun(idOf(nameAt(at)), 1);
    loop.post({ ...run, type: 'spawned', process: { pid: 1000 + at, startTicks: 1 } });
    loop.post({ ...run, type: 'probed', result: { tag: 'passed' } });
  }
  return loop;
};

type Story = 'probe' | 'restart';

/** Returns a service in the middle of the table that has no dependents. */
const subjectOf = (size: number): ServiceId => idOf(nameAt(Math.floor(size / 20) * 10 + 9));
const subjectIn = ({ read }: Loop, size: number): Service | undefined =>
  serviceAt(read().serviceTable, subjectOf(size));

/** Returns the events of one kind of round (`story`), for the service's current run. */
const eventsOf = (loop: Loop, size: number, story: Story): readonly Event[] => {
  const run = subjectIn(loop, size)?.runs ?? Number.NaN;
  const [old, next] = [ofRun(subjectOf(size), run), ofRun(subjectOf(size), run + 1)];
  if (story === 'probe') return [{ ...old, type: 'probed', result: { tag: 'passed' } }];
  return [
    { ...old, type: 'exited', status: { tag: 'code', code: 1 } },
    { ...old, type: 'surveyed', alive: [], evidence: [] },
    { ...old, type: 'elapsed', timer: 'backoff' },
    { ...next, type: 'spawned', process: { pid: 999, startTicks: 2 } },
    { ...next, type: 'probed', result: { tag: 'passed' } },
  ];
};

const SAMPLES = 40;

interface Told {
  readonly loop: Loop;
  readonly size: number;
  readonly story: Story;
}

/** Returns the cost of one round, µs: the median of several samples, each of many rounds. */
const costOf = ({ loop, size, story }: Told, tellings: number): number => {
  const sample = (): number => {
    const began = performance.now();
    for (let told = 0; told < tellings; told += 1) eventsOf(loop, size, story).forEach(loop.post);
    return ((performance.now() - began) * 1000) / tellings;
  };
  for (let warmUp = 0; warmUp < 5; warmUp += 1) sample();
  return median(Array.from({ length: SAMPLES }, sample));
};

const STORIES = {
  probe: 'a probe result',
  restart: 'exit, survey, backoff, spawn, ready: five steps',
} as const;

const ends = (size: number): void => {
  const loop = allUp(size);
  eventsOf(loop, size, 'restart').forEach(loop.post);
  const service = subjectIn(loop, size);
  if (service?.actual.tag !== 'up' || service.runs !== 2)
    throw new Error(`the story does not end with a second run: ${String(service?.actual.tag)}`);
};

const figuresOf = (sizes: readonly number[], tellings: number): readonly Figure[] => {
  const loops = sizes.map((size) => ({ size, loop: allUp(size) }));
  return (['probe', 'restart'] as const).flatMap((story) => {
    const costs = loops.map(({ size, loop }) => ({ size, cost: costOf({ loop, size, story }, tellings) }));
    const reference = costs[0]?.cost ?? Number.NaN;
    return costs.flatMap(({ size, cost }) => {
      const what = `${size} services: ${STORIES[story]}`;
      const figure: Figure = { subject: 'kernel', what, value: cost, unit: 'µs' };
      return size === sizes[0]
        ? [figure]
        : [figure, ratio({ subject: 'kernel', what: `${what}, to ${sizes[0] ?? 0}` }, cost, reference)];
    });
  });
};

export const kernelStep: Workload = {
  id: 'K',
  title: 'one step of the kernel',
  run: (bench) => {
    ends(10);
    return Promise.resolve(figuresOf([10, 100, 1000, 10_000], bench.quick ? 20 : 200));
  },
};
