import { describe, expect, it } from 'vitest';
import { fewAtOnce } from '../../../src/sinks/privilege/launcher-pool.ts';

/** Work that ends when it is told to. */
const works = (count: number) => {
  const begun: number[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const work = (which: number) => (): Promise<number> => {
    begun.push(which);
    return new Promise((resolve, reject) => {
      ends[which] = (error) => (error === undefined ? resolve(which) : reject(error));
    });
  };
  return { begun, ends, all: Array.from({ length: count }, (_, which) => work(which)) };
};

const NOBODY_ASKS = { onWait: () => undefined, onRest: () => undefined };

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the limit of concurrent launches', () => {
  it('as many launches begin as allowed, and the next when one ends or fails', async () => {
    const { begun, ends, all } = works(4);
    const few = fewAtOnce(2, NOBODY_ASKS);
    const results = all.map((work) => few(work).catch((error: unknown) => String(error)));
    await settled();
    expect(begun).toEqual([0, 1]);
    ends[1]?.();
    await settled();
    expect(begun).toEqual([0, 1, 2]);
    ends[0]?.(new Error('no'));
    await settled();
    expect(begun).toEqual([0, 1, 2, 3]);
    ends[2]?.();
    ends[3]?.();
    expect(await Promise.all(results)).toEqual(['Error: no', 1, 2, 3]);
  });

  it('launches begin at once again when all have ended', async () => {
    const few = fewAtOnce(1, NOBODY_ASKS);
    for (const value of [1, 2, 3]) expect(await few(() => Promise.resolve(value))).toBe(value);
  });

  it('waiting and idleness are reported', async () => {
    const said: string[] = [];
    const few = fewAtOnce(1, { onWait: () => said.push('wait'), onRest: () => said.push('rest') });
    const { ends, all } = works(3);
    const results = all.map((work) => few(work));
    await settled();
    expect(said).toEqual(['wait', 'wait']);
    for (const which of [0, 1, 2]) {
      ends[which]?.();
      await results[which];
    }
    expect(said).toEqual(['wait', 'wait', 'rest']);
  });
});
