import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { sharedScan } from '../../../src/sources/process/shared-scan.ts';

/** A look that says which questions it was told, after some turns of the loop. */
const told = (turns: number): ((asked: readonly number[]) => Promise<readonly number[]>) => {
  return async (asked) => {
    const known = [...asked];
    for (let turn = 0; turn < turns; turn += 1) await setImmediate();
    return known;
  };
};

describe('a shared process scan', () => {
  it('a shared scan answers all requests of one turn of the event loop', async () => {
    const look = sharedScan(told(0));
    expect(await Promise.all([look(1), look(2), look(3)])).toEqual(Array(3).fill([1, 2, 3]));
  });

  it.each([0, 1, 3])(
    'a shared scan gets every question that it answers, however late (%i turns)',
    async (turns) => {
      const look = sharedScan(told(turns));
      const answers: Promise<readonly number[]>[] = [];
      for (let question = 0; question < 60; question += 1) {
        answers.push(look(question));
        for (let step = 0; step < question % 7; step += 1) await Promise.resolve();
        if (question % 3 === 0) await setImmediate();
      }
      (await Promise.all(answers)).forEach((asked, question) => expect(asked).toContain(question));
    },
  );

  it('three long scans after a pause are not delayed, and a fourth waits until they are paid for', async () => {
    let now = 1_000_000;
    let used = 0;
    const pauses: number[] = [];
    const clock = {
      now: () => now,
      used: () => used,
      pause: (length: number) => {
        pauses.push(Math.round(length));
        now += length;
        return Promise.resolve();
      },
    };
    const look = sharedScan(() => {
      now += 400;
      used += 400;
      return Promise.resolve();
    }, clock);
    for (let scan = 0; scan < 3; scan += 1) await look(scan);
    expect(pauses).toEqual([]);
    await look(3);
    expect(pauses).toEqual([3 * 1_200 - 2 * 400 - 30]);
    now += 10_000;
    await look(4);
    expect(pauses).toHaveLength(1);
  });

  it('the delay of a scan follows from the processor time of those before it, not from their duration', async () => {
    let now = 1_000_000;
    let used = 0;
    let paused = 0;
    const clock = {
      now: () => now,
      used: () => used,
      pause: (length: number) => {
        now += length;
        paused += length;
        return Promise.resolve();
      },
    };
    const look = sharedScan(() => {
      now += 5_000;
      used += 20;
      return Promise.resolve();
    }, clock);
    for (let scan = 0; scan < 10; scan += 1) await look(scan);
    expect(paused).toBeLessThanOrEqual(10 * 3 * 20);
  });

  it('a shared scan continues after one that failed', async () => {
    let looks = 0;
    const look = sharedScan<number, readonly number[]>((asked) => {
      looks += 1;
      return looks === 1 ? Promise.reject(new Error('no table')) : Promise.resolve([...asked]);
    });
    await expect(look(1)).rejects.toThrow('no table');
    expect(await look(2)).toEqual([2]);
  });
});
