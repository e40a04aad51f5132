// During a rollout with any events there is one active run, and the old run is not touched until the candidate is
// proven. In the end nothing is left of the other run.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/streams/domain/event.ts';
import type { RolloutRecord } from '../../src/streams/domain/service/rollout.ts';
import type { Rollout, Service } from '../../src/streams/domain/service/service.ts';
import type { ServiceSpec } from '../../src/streams/domain/declared/spec.ts';
import type { ServiceId } from '../../src/streams/domain/ids.ts';
import { stepOf } from '../../src/streams/rollout/rollout-input.ts';
import { nodeOf } from '../../src/streams/graph/graph.ts';
import { serviceAt } from '../../src/streams/kernel/service-table.ts';
import { story, takeTurn, type Turn } from '../support/random-world/story.ts';
import { randomWorld, type RandomWorld } from '../support/random-world/world.ts';

/** Few services: much happens to each. */
const FEW = 3;

/** Of those that may be rolled at all. */
const server = ({ cron: _, ...spec }: ServiceSpec): ServiceSpec => ({
  ...spec,
  kind: 'service',
  skip: false,
  dependsOn: spec.dependsOn.map(({ service }) => ({ service, condition: 'started' })),
});

type Outcome = RolloutRecord['outcome'];

const phaseOf = ({ runs }: RandomWorld, { spec }: Service, run: number): string | undefined =>
  runs.find((one) => one.service === spec.id && one.run === run)?.phase;

/** The service stops by itself or by request. */
const goesAnyway = ({ actual, wanted }: Service): boolean =>
  wanted === 'down' ||
  actual.tag === 'casualty' ||
  (actual.tag === 'stopping' && actual.cause.tag !== 'restart');

/** The rollout that was under way in a step before the candidate is the service. */
const unproven = ({ rollout }: Service): Rollout | undefined =>
  rollout !== undefined && stepOf(rollout) !== 'retiring' ? rollout : undefined;

/** The candidate causes no signal to the old run. */
const oldUntouched = (world: RandomWorld, before: readonly Service[], signalsBefore: number): void => {
  const struck = world.signalled.slice(signalsBefore);
  for (const was of before) {
    const is = serviceAt(world.state().serviceTable, was.spec.id);
    if (unproven(was) === undefined || is === undefined || unproven(is) === undefined) continue;
    const own = struck.some(({ service, run }) => service === was.spec.id && run === was.runs);
    expect(own && !goesAnyway(is), `${was.spec.id}#${was.runs} was struck in a rollout`).toBe(false);
  }
};

/** Rollouts that ended in this turn. */
const endedIn = (world: RandomWorld, before: readonly Service[]): readonly [Service, RolloutRecord][] =>
  before.flatMap((was): readonly [Service, RolloutRecord][] => {
    const is = serviceAt(world.state().serviceTable, was.spec.id);
    const last = is?.rollouts?.at(-1);
    return is === undefined || last === undefined || last === was.rollouts?.at(-1) ? [] : [[is, last]];
  });

/** After a failure the old run is the service, after a success the candidate, and nothing is left of the other one. */
const oneLeft = (world: RandomWorld, service: Service, record: RolloutRecord): void => {
  const { old, candidate, outcome } = record;
  const about = `${service.spec.id} after a rollout that is ${outcome}`;
  const loser = outcome === 'done' ? old : candidate;
  if (loser !== undefined) expect(phaseOf(world, service, loser) ?? 'gone', about).toBe('gone');
  if (phaseOf(world, service, old) === 'alive') expect(service.runs, about).toBe(old);
};

/** All that may happen to a run beside the service, kind or not. */
const aboutSeconds = (world: RandomWorld): readonly Event[] =>
  world
    .possible()
    .filter(
      (event) =>
        'run' in event &&
        world
          .services()
          .some(({ spec, rollout }) => spec.id === event.service && rollout?.other.runs === event.run),
    );

/** A command interrupts the current rollout. */
const interrupted = (world: RandomWorld, choice: number): boolean => {
  const rolling = world.services().find(({ rollout }) => rollout !== undefined);
  if (rolling === undefined) return false;
  world.ask({ type: choice % 2 === 0 ? 'restart' : 'stop', selection: { services: [rolling.spec.name] } });
  return true;
};

/** Of twenty turns one is anything at all, one is about a candidate, one comes between, the others lead on. */
const play = (world: RandomWorld, turn: Turn & { readonly kindness: number }): void => {
  if (turn.kindness === 2 && interrupted(world, turn.choice)) return;
  const chosen = turn.kindness === 1 ? aboutSeconds(world) : world.kindest();
  const event = chosen[turn.choice % Math.max(1, chosen.length)];
  if (turn.kindness > 0 && turn.command > 0 && event !== undefined) world.post(event);
  else takeTurn(world, turn);
};

const errorText = (error: RolloutRecord['error']): string => JSON.stringify(error ?? {});

/** The file says where the service is, once nothing moves. */
const slotsTold = (world: RandomWorld): void => {
  for (const { spec, slot, actual, rollouts } of world.services()) {
    if (spec.deployment.blueGreen === undefined || actual.tag !== 'up') continue;
    // After a failed switch back the target of the traffic is unknown.
    const lost = rollouts?.some(({ error }) => errorText(error).includes('switching back failed'));
    if (lost !== true) expect(world.slots.get(spec.id), `${spec.id} in ${String(slot)}`).toBe(slot);
  }
};

/** True if the service is not wanted, or waits for a dependency that is not. */
const isStalled = (world: RandomWorld, id: ServiceId): boolean => {
  const { serviceTable, graph } = world.state();
  const service = serviceAt(serviceTable, id);
  if (service === undefined || service.wanted === 'down') return true;
  if (service.actual.tag !== 'waiting') return false;
  return nodeOf(graph, id).needs.some((need) => isStalled(world, need.service));
};

/** Until then the old run stays. */
const waitsForStopped = (world: RandomWorld, { rollout }: Service): boolean =>
  rollout?.other.actual.tag === 'waiting' &&
  rollout.other.spec.dependsOn.some(({ service }) => isStalled(world, service));

const turns = fc.array(
  fc.record({
    command: fc.integer({ min: 0, max: 15 }),
    choice: fc.nat(1_000),
    kindness: fc.integer({ min: 0, max: 19 }),
  }),
  { minLength: 80, maxLength: 200 },
);

describe('rollouts under random events', () => {
  it('a rollout ends with one active run and nothing left of the other', () => {
    const seen: Record<Outcome, number> = { done: 0, failed: 0, 'called-off': 0 };
    fc.assert(
      fc.property(story, turns, ({ specs, maxConcurrent }, played) => {
        const world = randomWorld(specs.slice(0, FEW).map(server), maxConcurrent);
        world.ask({ type: 'start', selection: {} });
        for (const turn of played) {
          const [before, signals] = [world.services(), world.signalled.length];
          play(world, turn);
          oldUntouched(world, before, signals);
          for (const [service, record] of endedIn(world, before)) {
            seen[record.outcome] += 1;
            oneLeft(world, service, record);
          }
        }
        world.rest();
        for (const service of world.services()) {
          if (waitsForStopped(world, service)) continue;
          expect(service.rollout, `${service.spec.id} is at rest`).toBeUndefined();
          const live = world.runs.filter((run) => run.service === service.spec.id && run.phase !== 'gone');
          expect(live.every(({ run }) => run === service.runs)).toBe(true);
        }
        slotsTold(world);
      }),
      { numRuns: 100 },
    );
    // Without them nothing was shown.
    for (const [outcome, count] of Object.entries(seen)) expect(count, outcome).toBeGreaterThan(0);
  });
});
