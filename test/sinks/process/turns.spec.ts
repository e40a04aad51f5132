import { describe, expect, it, onTestFinished } from 'vitest';
import { oneEachTurn } from '../../../src/sinks/process/turns.ts';

/** How often the event loop has turned. */
const turnsOfTheLoop = (): (() => number) => {
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  onTestFinished(() => clearImmediate(next));
  return () => turns;
};

describe('oneEachTurn', () => {
  it('lets the first start without waiting for the event loop', async () => {
    const turns = turnsOfTheLoop();
    const turn = oneEachTurn();

    await turn();

    expect(turns()).toBe(0);
  });

  it('lets the event loop turn between the starts of a burst, and keeps their order', async () => {
    const turns = turnsOfTheLoop();
    const turn = oneEachTurn();
    const started: (readonly [name: string, turns: number])[] = [];

    await Promise.all(
      ['a', 'b', 'c'].map(async (name) => {
        await turn();
        started.push([name, turns()]);
      }),
    );

    expect(started.map(([name]) => name)).toEqual(['a', 'b', 'c']);
    expect(new Set(started.map(([, at]) => at)).size).toBe(3);
  });

  it('does not make the next wait when the last was long ago', async () => {
    const turn = oneEachTurn();
    await turn();
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

    const turns = turnsOfTheLoop();
    await turn();

    expect(turns()).toBe(0);
  });
});
