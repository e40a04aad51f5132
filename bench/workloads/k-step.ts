// K: the cost of one step of the kernel, a pure function, at ten and at ten thousand services: a step costs what it
// touches. Nothing outside is involved; the same step is made from the same state again and again.
import { requestId, runId, type ServiceId } from '../../src/streams/domain/ids.ts';
import type { Event } from '../../src/streams/domain/event.ts';
import { DEFAULT_SETTINGS } from '../../src/streams/domain/settings.ts';
import { instant, ms } from '../../src/streams/domain/time.ts';
import { watchesOf } from '../../src/streams/service/watches.ts';
import { serviceAt } from '../../src/streams/kernel/roster.ts';
import { INITIAL_STATE, type SupervisorState } from '../../src/streams/kernel/state.ts';
import { step } from '../../src/streams/kernel/step.ts';
import { idOf, manifestOf, specOf } from '../../test/support/spec.ts';
import { median } from '../measure/statistics.ts';
import { ratio, type Figure } from '../report/figure.ts';
import type { Workload } from '../workload.ts';

const AT = instant(1_000_000);
const probed: Partial<ReturnType<typeof specOf>> = {
  restartPolicy: 'always',
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

/** A step and all that is derived from it for the services that it touched. */
const through = (state: SupervisorState, event: Event): SupervisorState => {
  const next = step(state, { at: AT, event });
  for (const id of next.services) {
    const service = serviceAt(next.state.roster, id);
    if (service !== undefined) watchesOf(service, next.state.settings);
  }
  return next.state;
};

const nameAt = (at: number): string => `s${at}`;
const ofRun = (service: ServiceId, run: number): { service: ServiceId; run: ReturnType<typeof runId> } => ({
  service,
  run: runId(run),
});

/** All of them up and healthy, in chains of ten. */
const allUp = (size: number): SupervisorState => {
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
  let state = through(INITIAL_STATE, { type: 'booted', settings: DEFAULT_SETTINGS, ...booted });
  const command = { type: 'start', selection: { manifest: manifest.path } } as const;
  state = through(state, { type: 'requested', request, command });
  const loads = [{ path: manifest.path, manifest, problems: [] }];
  state = through(state, { type: 'manifests-loaded', request, loads });
  for (let at = 0; at < size; at += 1) {
    const run = ofRun(idOf(nameAt(at)), 1);
    state = through(state, { ...run, type: 'spawned', process: { pid: 1000 + at, startTicks: 1 } });
    state = through(state, { ...run, type: 'probed', result: { tag: 'passed' } });
  }
  return state;
};

/** Of a service in the middle that nobody depends on. */
const storyOf = (size: number): Readonly<Record<'probe' | 'restart', readonly Event[]>> => {
  const id = idOf(nameAt(Math.floor(size / 20) * 10 + 9));
  const [old, next] = [ofRun(id, 1), ofRun(id, 2)];
  return {
    probe: [{ ...old, type: 'probed', result: { tag: 'passed' } }],
    restart: [
      { ...old, type: 'exited', status: { tag: 'code', code: 1 } },
      { ...old, type: 'surveyed', alive: [], evidence: [] },
      { ...old, type: 'elapsed', timer: 'backoff' },
      { ...next, type: 'spawned', process: { pid: 999, startTicks: 2 } },
      { ...next, type: 'probed', result: { tag: 'passed' } },
    ],
  };
};

const SAMPLES = 40;

/** Microseconds of one telling of the story: the median of samples of many tellings each. */
const costOf = (state: SupervisorState, story: readonly Event[], tellings: number): number => {
  const sample = (): number => {
    const began = performance.now();
    for (let told = 0; told < tellings; told += 1) story.reduce(through, state);
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
  const last = storyOf(size).restart.reduce(through, allUp(size));
  const service = serviceAt(last.roster, idOf(nameAt(Math.floor(size / 20) * 10 + 9)));
  if (service?.actual.tag !== 'up' || service.runs !== 2)
    throw new Error(`the story does not end with a second run: ${String(service?.actual.tag)}`);
};

const figuresOf = (sizes: readonly number[], tellings: number): readonly Figure[] => {
  const states = sizes.map((size) => ({ size, state: allUp(size), stories: storyOf(size) }));
  return (['probe', 'restart'] as const).flatMap((story) => {
    const costs = states.map(({ size, state, stories }) => ({
      size,
      cost: costOf(state, stories[story], tellings),
    }));
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
