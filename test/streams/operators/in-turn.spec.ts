import { describe, expect, it } from 'vitest';
import { inTurn } from '../../../src/streams/operators/in-turn.ts';

describe('inTurn', () => {
  it('handles a value given during another one after it, in the same tick', () => {
    const log: string[] = [];
    const handle = inTurn((value: string) => {
      log.push(`${value} begins`);
      if (value === 'first') {
        handle('second');
        handle('third');
      }
      log.push(`${value} ends`);
    });
    handle('first');
    expect(log).toEqual([
      'first begins',
      'first ends',
      'second begins',
      'second ends',
      'third begins',
      'third ends',
    ]);
  });

  it('serves the rest before it throws, and goes on serving afterwards', () => {
    const served: number[] = [];
    const handle = inTurn((value: number) => {
      if (value === 1) {
        handle(2);
        throw new Error('one is not well');
      }
      served.push(value);
    });
    expect(() => handle(1)).toThrow(AggregateError);
    handle(3);
    expect(served).toEqual([2, 3]);
  });

  it('keeps the order over a hundred thousand values given from within one', () => {
    const served: number[] = [];
    const handle = inTurn((value: number) => {
      served.push(value);
      if (value === 0) for (let next = 1; next <= 100_000; next += 1) handle(next);
    });
    handle(0);
    expect(served).toHaveLength(100_001);
    expect(served.every((value, index) => value === index)).toBe(true);
  });
});
