// Random worlds and what people do in them: services with dependencies, checks, schedules and every way of being rolled.
import fc from 'fast-check';
import type { Command } from '../../../src/streams/domain/command.ts';
import type { BlueGreen, Dependency, ServiceSpec } from '../../../src/streams/domain/declared/spec.ts';
import { ms, seconds } from '../../../src/streams/domain/time.ts';
import type { Step } from '../../../src/streams/kernel/step.ts';
import { idOf, specOf } from '../spec.ts';
import type { RandomWorld } from './world.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'];

const healthCheck = {
  probe: { tag: 'http', url: 'http://localhost/' },
  interval: ms(500),
  startInterval: ms(100),
  attemptTimeout: seconds(1),
  totalTimeout: ms(0),
  retries: 2,
} as const;

const blueGreen = (verified: boolean): BlueGreen => ({
  envVar: 'PORT',
  slots: ['one', 'two'],
  switchCommand: 'switch',
  statePath: '/slot',
  ...(verified && { candidateHealthCheck: healthCheck, switchVerify: healthCheck }),
});

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
      gracePeriod: fc.constantFrom(ms(0), seconds(2)),
      strategy: fc.constantFrom('immediate', 'rolling', 'blue-green'),
      verified: fc.boolean(),
    })
    .map(({ preStart, checked, kind, gracePeriod, strategy, verified, ...rest }) =>
      specOf(name, {
        ...rest,
        kind,
        ...(kind === 'cron' && { cron: { expression: '* * * * *', timezone: 'utc', timeout: seconds(5) } }),
        deployment: {
          strategy: strategy === 'rolling' ? 'rolling' : 'immediate',
          gracePeriod,
          ...(preStart && { preStart: 'make' }),
          ...(checked && { healthCheck }),
          ...(strategy === 'blue-green' && { blueGreen: blueGreen(verified) }),
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

export const story = fc.record({
  specs: fc.tuple(...NAMES.map(spec)),
  maxConcurrent: fc.constantFrom(-1, 1, 2),
  /** Which of the things that are possible comes next; one in four is a command. */
  turns: fc.array(fc.record({ command: fc.integer({ min: 0, max: 3 }), choice: fc.nat(1_000) }), {
    minLength: 10,
    maxLength: 120,
  }),
});

export type Turn = { readonly command: number; readonly choice: number };

export const takeTurn = (world: RandomWorld, turn: Turn): Step => {
  const possible = world.possible();
  const event = possible[turn.choice % Math.max(1, possible.length)];
  if (turn.command > 0 && event !== undefined) return world.post(event);
  return world.ask(COMMANDS[turn.choice % COMMANDS.length]!);
};
