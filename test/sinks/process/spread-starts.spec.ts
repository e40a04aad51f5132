import { describe, expect, it } from 'vitest';
import { Rounds, StartGate, sizeAfter } from '../../../src/sinks/process/spread-starts.ts';
import type { Unbegun } from '../../../src/streams/domain/handed-commands.ts';
import { runId } from '../../../src/streams/domain/ids.ts';
import { someTurns, turnsOfTheLoop } from './loop-turns.ts';
import { idOf } from '../../support/spec.ts';

const one = (name: string): Unbegun => ({ service: idOf(name), run: runId(1) });

describe('the gate for process starts', () => {
  it('the first start passes without waiting for the event loop', async () => {
    const turns = turnsOfTheLoop();

    await new StartGate().ticket(one('a')).turn();

    expect(turns()).toBe(0);
  });
});

describe('a closed gate for process starts', () => {
  const waiting = (gate: StartGate, ...names: readonly string[]): { passed: string[] } => {
    const seen = { passed: [] as string[] };
    for (const name of names)
      void gate
        .ticket(one(name))
        .turn()
        .then(() => seen.passed.push(name));
    return seen;
  };

  it('a closed gate lets no start pass and reports it, but not starts that have passed', async () => {
    const gate = new StartGate();
    await gate.ticket(one('a')).turn();
    const { passed } = waiting(gate, 'b', 'c');
    expect(gate.heldUp()).toEqual([]);
    gate.hold();
    await someTurns();

    expect(passed).toEqual([]);
    expect(gate.heldUp()).toEqual([one('b'), one('c')]);
  });

  it('starts wait at a closed gate in their order until it is opened', async () => {
    const gate = new StartGate();
    gate.hold();
    const { passed } = waiting(gate, 'a', 'b');
    await someTurns();
    expect(passed).toEqual([]);
    gate.release();
    await someTurns();

    expect(passed).toEqual(['a', 'b']);
    expect(gate.heldUp()).toEqual([]);
  });

  it('a closed gate counts starts on their way, and not those that gave up', () => {
    const gate = new StartGate();
    const [first, second] = [gate.ticket(one('a')), gate.ticket(one('b'))];
    gate.hold();
    second.over();

    expect(gate.heldUp()).toEqual([one('a')]);
    first.over();
    expect(gate.heldUp()).toEqual([]);
  });
});

/** Rounds in which each start takes this many ms, and the number of starts in each turn of the event loop. */
const taking = (ms: number): { rounds: Rounds; burst: (count: number) => Promise<readonly number[]> } => {
  let now = 0;
  const rounds = new Rounds(() => now);
  const burst = async (count: number): Promise<readonly number[]> => {
    const turns = turnsOfTheLoop();
    const passed = new Map<number, number>();
    const one = async (): Promise<void> => {
      await rounds.turn();
      now += ms;
      passed.set(turns(), (passed.get(turns()) ?? 0) + 1);
    };
    await Promise.all(Array.from({ length: count }, one));
    await someTurns();
    return [...passed.values()];
  };
  return { rounds, burst };
};

describe('rounds of process starts', () => {
  it('the first start passes without waiting for the event loop, also after a long pause', async () => {
    const rounds = new Rounds();
    const turnsOfOne = async (): Promise<number> => {
      const turns = turnsOfTheLoop();
      await rounds.turn();
      return turns();
    };
    expect(await turnsOfOne()).toBe(0);
    await someTurns();
    expect(await turnsOfOne()).toBe(0);
  });

  it('rounds keep the order of a burst', async () => {
    const rounds = new Rounds();
    const order: number[] = [];
    const all = [...Array(50).keys()];
    await Promise.all(all.map((one) => rounds.turn(() => order.push(one))));
    expect(order).toEqual(all);
  });

  it('rounds grow until a turn takes twenty milliseconds, and keep that size for the next burst', async () => {
    const { burst } = taking(2);
    expect(await burst(40)).toEqual([1, 2, 4, 8, 10, 10, 5]);
    expect(await burst(25)).toEqual([10, 10, 5]);
  });

  it('rounds have one start if one takes that long', async () => {
    const { burst } = taking(30);
    expect(await burst(4)).toEqual([1, 1, 1, 1]);
  });

  it('rounds contain starts of the same moment, although they arrived one after the other', async () => {
    const { rounds, burst } = taking(2);
    await burst(40);
    const turns = turnsOfTheLoop();
    const late = Promise.resolve().then(() => rounds.turn());
    await Promise.all([rounds.turn(), late]);
    expect(turns()).toBe(0);
  });
});

describe('the size of a round', () => {
  it.each([
    { what: 'is doubled at most', before: { size: 4, passed: 4, took: 1 }, after: 8 },
    { what: 'is what a turn can bear', before: { size: 12, passed: 12, took: 24 }, after: 10 },
    { what: 'is never none', before: { size: 1, passed: 1, took: 90 }, after: 1 },
    { what: 'is twelve at most', before: { size: 12, passed: 12, took: 1 }, after: 12 },
    { what: 'is the same where there was room for more', before: { size: 8, passed: 3, took: 60 }, after: 8 },
    { what: 'bears a clock that stands still', before: { size: 8, passed: 8, took: 0 }, after: 12 },
  ])('$what', ({ before, after }) => {
    expect(sizeAfter(before)).toBe(after);
  });
});
