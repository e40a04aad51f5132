import { describe, expect, it } from 'vitest';
import { oneAtATime } from '../../../src/sinks/store/one-at-a-time.ts';

describe('writes of one file', () => {
  it('are done in the order asked for, one at a time, also after one that failed', async () => {
    const done: string[] = [];
    const write = oneAtATime(async (value: string) => {
      done.push(`${value} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      if (value === 'b') throw new Error('disk full');
      done.push(`${value} ends`);
    });
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map(write));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(done).toEqual(['a begins', 'a ends', 'b begins', 'c begins', 'c ends']);
  });
});
