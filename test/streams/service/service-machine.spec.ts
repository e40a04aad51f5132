import { describe, expect, it } from 'vitest';
import { withRollout } from '../../../src/streams/rollout/two-runs.ts';
import { runId } from '../../../src/streams/domain/ids.ts';
import type { Service, Tag } from '../../../src/streams/domain/service/service.ts';
import type { Input, InputType } from '../../../src/streams/service/service-input.ts';
import { transition } from '../../../src/streams/service/service-machine.ts';
import { CONTEXT, INPUT_TYPES, INPUTS, OF_A_RUN, serviceIn, STATES, TAGS } from '../../support/states.ts';

const next = (tag: Tag, input: Input): Service => transition(serviceIn(tag), input, CONTEXT).service;
const pairs = TAGS.flatMap((tag) => INPUT_TYPES.map((input) => [tag, input] as const));

/** The next state for each state and input. Inputs that are not listed change no state. */
const moves: Readonly<Record<Tag, Partial<Record<InputType, Tag>>>> = {
  down: { start: 'waiting', restart: 'waiting' },
  scheduled: { start: 'waiting', stop: 'down', restart: 'waiting', rang: 'waiting' },
  waiting: { stop: 'down', admit: 'spawning', 'pass-over': 'down' },
  preparing: { stop: 'down', restart: 'waiting', fell: 'casualty', 'command-ended': 'spawning' },
  spawning: { spawned: 'starting', 'spawn-failed': 'backing-off' },
  starting: { restart: 'stopping', release: 'stopping', fell: 'stopping', exited: 'stopping', elapsed: 'up' },
  up: { restart: 'stopping', release: 'stopping', fell: 'stopping', exited: 'stopping' },
  stopping: {},
  'backing-off': { start: 'waiting', stop: 'down', restart: 'waiting' },
  broken: { start: 'waiting', stop: 'down', restart: 'waiting' },
  casualty: { start: 'waiting', stop: 'down', restart: 'waiting', raise: 'waiting' },
};

describe('the state table', () => {
  it.each(pairs)('%s on %s has the transition of the expected table', (tag, type) => {
    expect(next(tag, INPUTS[type]).actual.tag).toBe(moves[tag][type] ?? tag);
  });

  it.each(pairs)('%s on %s gives a service that survives JSON', (tag, type) => {
    const { service, effects } = transition(serviceIn(tag), INPUTS[type], CONTEXT);
    expect(JSON.parse(JSON.stringify({ service, effects }))).toStrictEqual({ service, effects });
  });

  it.each(TAGS.flatMap((tag) => OF_A_RUN.map((input) => [tag, input.type, input] as const)))(
    '%s ignores a late %s of another run',
    (tag, _type, input) => {
      const service = serviceIn(tag);
      const late = { ...input, run: runId(2) } as Input;
      expect(transition(service, late, CONTEXT)).toStrictEqual({ service, effects: [] });
      expect(transition(service, late, CONTEXT).service).toBe(service);
    },
  );

  it.each(TAGS)('%s records each transition with its cause, fifty at most', (tag) => {
    const busy = { ...serviceIn(tag), history: Array.from({ length: 50 }, () => move) };
    const type = INPUT_TYPES.find((input) => moves[tag][input] !== undefined);
    if (type === undefined) return expect(tag).toBe('stopping');
    const { history } = transition(busy, INPUTS[type], CONTEXT).service;
    expect(history).toHaveLength(50);
    expect(history.at(-1)).toMatchObject({ from: tag, to: moves[tag][type], cause: type });
  });

  it('a newer declaration is used only when a run starts', () => {
    const revised = { ...serviceIn('waiting').spec, digest: 'newer' };
    const waiting: Service = { ...serviceIn('waiting'), revised };
    expect(transition({ ...waiting, actual: STATES.up }, INPUTS.exited, CONTEXT).service.revised).toBe(
      revised,
    );
    const begun = transition(waiting, INPUTS.admit, CONTEXT).service;
    expect(begun.spec).toBe(revised);
    expect(begun.revised).toBeUndefined();
  });

  it('a newer declaration is kept for the next run while the old run of a rollout restarts', () => {
    const revised = { ...serviceIn('waiting').spec, digest: 'newer' };
    const { rollout } = withRollout(serviceIn('up'), CONTEXT.at, false);
    if (rollout === undefined) throw new Error('there is no rollout');
    const waiting: Service = { ...serviceIn('waiting'), revised, rollout };
    const begun = transition(waiting, INPUTS.admit, CONTEXT).service;
    expect(begun).toMatchObject({ actual: { tag: 'spawning' }, spec: waiting.spec });
    expect(begun.revised).toBe(revised);
  });

  it('a run never starts while another may be alive', () => {
    const busy: readonly Tag[] = ['spawning', 'starting', 'up', 'stopping'];
    for (const tag of busy)
      for (const type of INPUT_TYPES)
        expect(
          transition(serviceIn(tag), INPUTS[type], CONTEXT).effects.map((effect) => effect.type),
        ).not.toContain('spawn');
  });
});

const move = { at: CONTEXT.at, from: 'down', to: 'waiting', cause: 'start' } as const;
