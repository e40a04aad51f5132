import { describe, expect, it } from 'vitest';
import { Rounds } from '../../../src/sinks/process/start-gate.ts';
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
