// Tests the state table with several variants of each input and of each state.
import { describe, expect, it } from 'vitest';
import type { Effect } from '../../../src/streams/domain/effect.ts';
import { runId } from '../../../src/streams/domain/ids.ts';
import type { Service } from '../../../src/streams/domain/service/service.ts';
import type { Input } from '../../../src/streams/service/service-input.ts';
import { transition } from '../../../src/streams/service/service-machine.ts';
import { CONTEXT, INPUT_TYPES } from '../../support/states.ts';
import { INPUT_VARIANTS, STATE_VARIANTS } from '../../support/variants.ts';

const STARTS = ['start', 'start by name'];
const RESTARTS = ['restart', 'restart by name'];
const FALLS = ['fell', 'fell of two'];
const EXITS = ['exited 0', 'exited 1', 'exited by signal', 'exited unseen'];
const BAD_PROBES = ['probed silent', 'probed unreachable', 'probed timed-out', 'probed unhealthy'];
const ENDS = [...RESTARTS, 'release', ...FALLS, ...EXITS];
const SURVIVORS = ['surveyed the leader', 'surveyed a newcomer'];
/** Inputs that send a signal while a run is being stopped: to each process that did not get it before. */
const ASKING = {
  'stopping, SIGKILL': ['elapsed stop-timeout'],
  'stopping, SIGTERM': ['surveyed a newcomer'],
};

/**
 * For each state: the possible outcomes, and the inputs that lead to them. Other inputs change no state and
 * have no effect.
 */
const OUTCOMES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  down: { waiting: [...STARTS, ...RESTARTS] },
  'down, done': { waiting: ['start by name', 'restart by name'] },
  scheduled: { waiting: [...STARTS, ...RESTARTS, 'rang'], down: ['stop'] },
  waiting: { down: ['stop', 'pass-over'], 'spawning, spawn': ['admit'] },
  'waiting for the gate': { down: ['stop', 'pass-over'], 'spawning, spawn': ['admit'] },
  preparing: {
    down: ['stop'],
    waiting: RESTARTS,
    casualty: FALLS,
    'spawning, spawn': ['command-ended 0'],
    'backing-off': ['command-ended 1', 'command-ended over budget'],
  },
  'preparing, skip': {
    down: ['stop', 'command-ended 0'],
    waiting: RESTARTS,
    casualty: FALLS,
    'spawning, spawn': ['command-ended 1'],
    'backing-off': ['command-ended over budget'],
  },
  spawning: { starting: ['spawned'], 'backing-off': ['spawn-failed'] },
  'spawning, not wanted': { starting: ['spawned'], down: ['spawn-failed'] },
  starting: { stopping: ENDS, up: ['elapsed stability'] },
  'starting, checked': {
    stopping: [...ENDS, ...BAD_PROBES],
    up: ['probed passed', 'elapsed stability'],
  },
  up: { stopping: ENDS },
  'up, checked': { stopping: [...ENDS, ...BAD_PROBES] },
  'up, scheduled': { stopping: [...ENDS, 'elapsed cron-timeout'] },
  stopping: ASKING,
  'stopping, not wanted': { ...ASKING, down: ['surveyed nobody'] },
  'stopping, crashed': { ...ASKING, 'backing-off': ['surveyed nobody'] },
  'stopping, felled': { ...ASKING, casualty: ['surveyed nobody'] },
  'stopping, nobody left': { waiting: EXITS, 'stopping, SIGKILL': ['elapsed stop-timeout'] },
  'stopping, killing': { waiting: ['surveyed nobody'], 'stopping, SIGKILL': SURVIVORS },
  'stopping, unverified': { waiting: ['surveyed nobody'], 'stopping, SIGKILL': SURVIVORS },
  'stopping, to start again': { ...ASKING, waiting: ['surveyed nobody'] },
  'backing-off': { waiting: [...STARTS, ...RESTARTS, 'elapsed backoff'], down: ['stop'] },
  broken: { waiting: [...STARTS, ...RESTARTS], down: ['stop'] },
  casualty: { waiting: [...STARTS, ...RESTARTS, 'raise'], down: ['stop'] },
};

/** Returns the effects as text, without signals that have no target. */
const deedsOf = (effects: readonly Effect[]): readonly string[] =>
  effects.flatMap((effect) => {
    if (effect.type !== 'signal') return [effect.type];
    return effect.targets.length === 0 ? [] : [effect.signal];
  });

const outcomeOf = (service: Service, input: Input): string | undefined => {
  const { service: after, effects } = transition(service, input, CONTEXT);
  const deeds = deedsOf(effects);
  const moved = after.actual.tag !== service.actual.tag || deeds.length > 0;
  return moved ? [after.actual.tag, ...deeds].join(', ') : undefined;
};

/** Returns the outcome of each input that changes something. */
const met = (service: Service): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(INPUT_VARIANTS).flatMap(([name, input]) => {
      const outcome = outcomeOf(service, input);
      return outcome === undefined ? [] : [[name, outcome]];
    }),
  );

const expected = (name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(OUTCOMES[name] ?? {}).flatMap(([outcome, inputs]) =>
      inputs.map((input) => [input, outcome]),
    ),
  );

const states = Object.entries(STATE_VARIANTS);
const inputs = Object.entries(INPUT_VARIANTS);

describe('variants of the state table', () => {
  it('the variants have each input, and several of those with data', () => {
    const types = Object.values(INPUT_VARIANTS).map(({ type }) => type);
    expect([...new Set(types)].sort()).toEqual([...INPUT_TYPES].sort());
    expect(types.length).toBeGreaterThan(INPUT_TYPES.length + 15);
  });

  it('the variants have a row for each state', () => {
    expect(Object.keys(OUTCOMES).sort()).toEqual(states.map(([name]) => name).sort());
  });

  it.each(states)('the variant "%s" has the transitions of the expected table', (name, service) => {
    expect(met(service)).toEqual(expected(name));
  });

  it.each(states)('the variant "%s" gives services that survive JSON on each input', (_name, service) => {
    const outcomes = inputs.map(([, input]) => transition(service, input, CONTEXT));
    expect(JSON.parse(JSON.stringify(outcomes))).toStrictEqual(outcomes);
  });

  it.each(states)('the variant "%s" ignores late events', (_name, service) => {
    const late = inputs.flatMap(([name, input]) =>
      'run' in input ? [[name, { ...input, run: runId(2) }] as const] : [],
    );
    const taken = late.filter(([, input]) => transition(service, input, CONTEXT).service !== service);
    expect(late.length).toBeGreaterThan(15);
    expect(taken).toEqual([]);
  });
});
