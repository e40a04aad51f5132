import { describe, expect, it } from 'vitest';
import { Rounds, sizeAfter } from '../../../src/sinks/process/start-gate.ts';
import { someTurns, turnsOfTheLoop } from './loop-turns.ts';

/** Rounds in which each who passes takes so many ms, and how many have passed in each turn of the event loop. */
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
