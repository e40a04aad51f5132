import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runId } from '../../src/streams/domain/ids.ts';
import type { DownReason, Service } from '../../src/streams/domain/service/service.ts';
import type { Dependency } from '../../src/streams/domain/declared/spec.ts';
import { isSkipped, isUnderWay, satisfies } from '../../src/streams/graph/dependency-state.ts';
import { serviceAt } from '../../src/streams/kernel/service-table.ts';
import type { SupervisorState } from '../../src/streams/kernel/state.ts';
import type { Step } from '../../src/streams/kernel/step.ts';
import { allWatchesOf } from '../../src/streams/rollout/rollout-watches.ts';
import { worded } from '../../src/streams/views/notes/note-text.ts';
import { story, takeTurn, type Turn } from '../support/random-world/story.ts';
import { randomWorld, type RandomWorld } from '../support/random-world/world.ts';

/** Two at once are those of a rollout, and no run is begun twice. */
const noTwoRuns = ({ runs, services }: RandomWorld): void => {
  const begun = runs.map(({ service, run }) => `${service}#${run}`);
  expect(new Set(begun).size, `a run was begun twice: ${begun.join()}`).toBe(begun.length);
  for (const { spec, runs: own, rollout } of services()) {
    const known = [own, ...(rollout === undefined ? [] : [rollout.other.runs])];
    const live = runs.filter(({ service, phase }) => service === spec.id && phase !== 'gone');
    for (const { run } of live) expect(known, `${spec.id}#${run} is alive and unknown`).toContain(run);
  }
};

/** Where it does not begin: it is left out, stopped, or becomes a job. */
const ASIDE: ReadonlySet<string> = new Set(['down', 'scheduled']);

const began = (service: Service, { at }: Step): boolean =>
  service.history.some(
    ({ at: moved, from, to, cause }) =>
      moved === at && from === 'waiting' && !ASIDE.has(to) && cause !== 'pass-over',
  );

/** Each service inside the gate is starting and counts for it; each counting service just admitted is inside. */
const gateHolds = (world: RandomWorld, stepped: Step, cap: number): void => {
  const { gate, serviceTable } = world.state();
  const passes = world.services().filter((service) => service.gate === 'pending' && isUnderWay(service));
  const counts = new Set(passes.map(({ spec }) => spec.id));
  const letIn = passes.filter((service) => began(service, stepped));
  if (cap >= 0) expect(gate.inside.length).toBeLessThanOrEqual(cap);
  expect(new Set(gate.inside).size).toBe(gate.inside.length);
  for (const id of gate.inside) expect(counts).toContain(id);
  for (const { spec } of cap < 0 ? [] : letIn) expect(gate.inside).toContain(spec.id);
  for (const id of gate.queue)
    expect(serviceAt(serviceTable, id)).toMatchObject({ gate: 'pending', actual: { tag: 'waiting' } });
};

const isThere = ({ serviceTable }: SupervisorState, { service, condition }: Dependency): boolean => {
  const found = serviceAt(serviceTable, service);
  return found !== undefined && satisfies(found, condition);
};

/** A starting service has its dependencies, even if the same step takes them away again. */
const beginsInOrder = (world: RandomWorld, stepped: Step, before: SupervisorState): void => {
  for (const service of world.services().filter((each) => began(each, stepped)))
    for (const need of service.spec.dependsOn) {
      const there = isThere(world.state(), need) || isThere(before, need);
      expect(there, `${service.spec.id} began without ${need.service}`).toBe(true);
    }
};

/** Each key has one owner, and the open watches are exactly those that the services list. */
const watchesAgree = (world: RandomWorld): void => {
  const { settings } = world.state();
  const listed = world.services().flatMap((service) => allWatchesOf(service, settings).map(({ key }) => key));
  expect(new Set(listed).size).toBe(listed.length);
  const observed = world.watches().filter((watch) => 'service' in watch);
  expect(observed.map(({ key }) => key).sort()).toEqual(listed.sort());
};

const repliesOnce = ({ replies }: RandomWorld): void => {
  const answered = replies.map(({ request }) => request);
  expect(new Set(answered).size).toBe(answered.length);
};

const noBug = ({ effects }: Step): void => {
  for (const effect of effects)
    if (effect.type === 'note') expect(worded(effect).text).not.toContain('ERR0001');
};

const playTurn = (world: RandomWorld, turn: Turn, cap: number): void => {
  const before = world.state();
  const stepped = takeTurn(world, turn);
  noBug(stepped);
  noTwoRuns(world);
  gateHolds(world, stepped, cap);
  beginsInOrder(world, stepped, before);
  watchesAgree(world);
  repliesOnce(world);
};

type SkippedBy = Extract<DownReason, { tag: 'skipped' }>['by'];

const isSkippedRightly = (world: RandomWorld, by: SkippedBy): boolean => {
  if (by === 'manifest' || by === 'command') return true;
  const dependency = serviceAt(world.state().serviceTable, by);
  return dependency !== undefined && isSkipped(dependency);
};

/** No service waits for a met dependency, is skipped without reason, or stays a casualty without a cause. */
const nobodyForgotten = (world: RandomWorld): void => {
  const there = (need: Dependency): boolean => isThere(world.state(), need);
  for (const { spec, revised, actual, wanted } of world.services()) {
    const { id, dependsOn } = revised ?? spec;
    if (actual.tag === 'waiting') expect(dependsOn.every(there), `${id} waits for nothing`).toBe(false);
    if (actual.tag === 'down' && actual.why.tag === 'skipped' && wanted === 'up')
      expect(isSkippedRightly(world, actual.why.by), `${id} is skipped with somebody who is not`).toBe(true);
    if (actual.tag !== 'casualty') continue;
    const healed = actual.of.every((service) => there({ service, condition: 'started' }));
    expect(healed, `${id} was not raised`).toBe(false);
  }
};

describe('the kernel under random commands and events', () => {
  it('the kernel keeps its invariants', () => {
    fc.assert(
      fc.property(story, ({ specs, maxConcurrent, turns }) => {
        const world = randomWorld(specs, maxConcurrent);
        for (const turn of turns) playTurn(world, turn, maxConcurrent);
        const state = world.state();
        expect(JSON.parse(JSON.stringify(state))).toStrictEqual(state);
        world.rest();
        nobodyForgotten(world);
        expect(Object.keys(world.state().requests)).toEqual([]);
        expect(world.replies.map(({ request }) => request).sort()).toEqual([...world.asked].sort());
      }),
      { numRuns: 300 },
    );
  });

  it('late events of earlier runs do not change the kernel', () => {
    fc.assert(
      fc.property(story, ({ specs, maxConcurrent, turns }) => {
        const world = randomWorld(specs, maxConcurrent);
        for (const turn of turns) takeTurn(world, turn);
        const state = world.state();
        for (const {
          spec: { id },
          runs,
        } of world.services().filter(({ runs, rollout }) => runs > 1 && rollout === undefined)) {
          const run = runId(runs - 1);
          world.post({ type: 'exited', service: id, run, status: { tag: 'code', code: 1 } });
          world.post({ type: 'surveyed', service: id, run, alive: [], evidence: [] });
          world.post({ type: 'elapsed', service: id, run, timer: 'backoff' });
          world.post({ type: 'probed', service: id, run, result: { tag: 'timed-out' } });
        }
        expect(world.state()).toBe(state);
      }),
      { numRuns: 50 },
    );
  });
});
