import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/streams/domain/command.ts';
import { runId } from '../../src/streams/domain/ids.ts';
import type { Service } from '../../src/streams/domain/service/service.ts';
import type { Dependency, ServiceSpec } from '../../src/streams/domain/declared/spec.ts';
import { ms, seconds } from '../../src/streams/domain/time.ts';
import { isUnderWay, satisfies } from '../../src/streams/graph/standing.ts';
import { serviceAt } from '../../src/streams/kernel/roster.ts';
import type { SupervisorState } from '../../src/streams/kernel/state.ts';
import type { Step } from '../../src/streams/kernel/step.ts';
import { watchesOf } from '../../src/streams/service/watches.ts';
import { randomWorld, type RandomWorld } from '../support/random-world.ts';
import { idOf, specOf } from '../support/spec.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'];

const healthCheck = {
  probe: { tag: 'http', url: 'http://localhost/' },
  interval: ms(500),
  startInterval: ms(100),
  attemptTimeout: seconds(1),
  totalTimeout: ms(0),
  retries: 2,
} as const;

/** Dependencies point to earlier names only: no cycles. */
const dependsOn = (index: number): fc.Arbitrary<readonly Dependency[]> =>
  fc
    .subarray(NAMES.slice(0, index), { maxLength: Math.min(2, index) })
    .chain((names) =>
      fc
        .constantFrom<Dependency['condition']>('started', 'started', 'completed')
        .map((condition) => names.map((name) => ({ service: idOf(name), condition }))),
    );

const spec = (name: string, index: number): fc.Arbitrary<ServiceSpec> =>
  fc
    .record({
      dependsOn: dependsOn(index),
      restartPolicy: fc.constantFrom('always', 'on-failure', 'never'),
      maxRestarts: fc.nat(2),
      skip: fc.constantFrom(false, false, false, true, 'test -e /skip'),
      preStart: fc.boolean(),
      checked: fc.boolean(),
      kind: fc.constantFrom('service', 'service', 'service', 'cron'),
    })
    .map(({ preStart, checked, kind, ...rest }) =>
      specOf(name, {
        ...rest,
        kind,
        ...(kind === 'cron' && { cron: { expression: '* * * * *', timezone: 'utc', timeout: seconds(5) } }),
        deployment: {
          strategy: 'immediate',
          gracePeriod: ms(0),
          ...(preStart && { preStart: 'make' }),
          ...(checked && { healthCheck }),
        },
      }),
    );

/** What people may ask. */
const COMMANDS: readonly Command[] = [
  { type: 'start', selection: {} },
  { type: 'stop', selection: {} },
  { type: 'restart', selection: {} },
  { type: 'apply', selection: {} },
  ...NAMES.flatMap((service): readonly Command[] => [
    { type: 'start', selection: { services: [service] } },
    { type: 'stop', selection: { services: [service] } },
    { type: 'restart', selection: { services: [service] } },
  ]),
];

const story = fc.record({
  specs: fc.tuple(...NAMES.map(spec)),
  maxConcurrent: fc.constantFrom(-1, 1, 2),
  /** Which of the things that are possible comes next; one in four is a command. */
  turns: fc.array(fc.record({ command: fc.integer({ min: 0, max: 3 }), choice: fc.nat(1_000) }), {
    minLength: 10,
    maxLength: 120,
  }),
});

const noTwoRuns = ({ runs }: RandomWorld): void => {
  const live = runs.filter(({ phase }) => phase !== 'gone').map(({ service }) => service);
  expect(new Set(live).size, `two runs at once: ${live.join()}`).toBe(live.length);
};

const began = (service: Service, { at }: Step): boolean =>
  service.history.some((move) => move.at === at && move.from === 'waiting' && move.to !== 'down');

/** Whoever is inside is on its way and was started with others; whoever of those was just let in is inside. */
const gateHolds = (world: RandomWorld, stepped: Step, cap: number): void => {
  const { gate, roster } = world.state();
  const passes = world.services().filter((service) => service.gate === 'pending' && isUnderWay(service));
  const counts = new Set(passes.map(({ spec }) => spec.id));
  const letIn = passes.filter((service) => began(service, stepped));
  if (cap >= 0) expect(gate.inside.length).toBeLessThanOrEqual(cap);
  expect(new Set(gate.inside).size).toBe(gate.inside.length);
  for (const id of gate.inside) expect(counts).toContain(id);
  for (const { spec } of cap < 0 ? [] : letIn) expect(gate.inside).toContain(spec.id);
  for (const id of gate.queue)
    expect(serviceAt(roster, id)).toMatchObject({ gate: 'pending', actual: { tag: 'waiting' } });
};

const isThere = ({ roster }: SupervisorState, { service, condition }: Dependency): boolean => {
  const found = serviceAt(roster, service);
  return found !== undefined && satisfies(found, condition);
};

/** Whoever begins has what it needs, be it that the very same step takes it away again. */
const beginsInOrder = (world: RandomWorld, stepped: Step, before: SupervisorState): void => {
  for (const service of world.services().filter((each) => began(each, stepped)))
    for (const need of service.spec.dependsOn) {
      const there = isThere(world.state(), need) || isThere(before, need);
      expect(there, `${service.spec.id} began without ${need.service}`).toBe(true);
    }
};

/** Every key is somebody's alone, and what is being observed is what the services ask for, no more and no less. */
const watchesAgree = (world: RandomWorld): void => {
  const { settings } = world.state();
  const listed = world.services().flatMap((service) => watchesOf(service, settings).map(({ key }) => key));
  expect(new Set(listed).size).toBe(listed.length);
  const observed = world.watches().filter((watch) => 'service' in watch);
  expect(observed.map(({ key }) => key).sort()).toEqual(listed.sort());
};

const repliesOnce = ({ replies }: RandomWorld): void => {
  const answered = replies.map(({ request }) => request);
  expect(new Set(answered).size).toBe(answered.length);
};

const noBug = ({ effects }: Step): void => {
  for (const effect of effects) if (effect.type === 'note') expect(effect.text).not.toContain('ERR0001');
};

type Turn = { readonly command: number; readonly choice: number };

const takeTurn = (world: RandomWorld, turn: Turn): Step => {
  const possible = world.possible();
  const event = possible[turn.choice % Math.max(1, possible.length)];
  if (turn.command > 0 && event !== undefined) return world.post(event);
  return world.ask(COMMANDS[turn.choice % COMMANDS.length]!);
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

/** Nobody waits for what is there, and nobody lies down whom nothing holds down. */
const nobodyForgotten = (world: RandomWorld): void => {
  const there = (need: Dependency): boolean => isThere(world.state(), need);
  for (const {
    spec: { id, dependsOn },
    actual,
  } of world.services()) {
    if (actual.tag === 'waiting') expect(dependsOn.every(there), `${id} waits for nothing`).toBe(false);
    if (actual.tag !== 'casualty') continue;
    const healed = actual.of.every((service) => there({ service, condition: 'started' }));
    expect(healed, `${id} was not raised`).toBe(false);
  }
};

describe('whatever is asked and whatever happens', () => {
  it('the kernel keeps its promises', () => {
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

  it('late news of earlier runs changes nothing', () => {
    fc.assert(
      fc.property(story, ({ specs, maxConcurrent, turns }) => {
        const world = randomWorld(specs, maxConcurrent);
        for (const turn of turns) takeTurn(world, turn);
        const state = world.state();
        for (const {
          spec: { id },
          runs,
        } of world.services().filter((service) => service.runs > 1)) {
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
