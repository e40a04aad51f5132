import { describe, expect, it } from 'vitest';
import { writeWhole } from '../../src/cli/standard-stream.ts';

describe('writing to a file', () => {
  it('a text is written completely, however little is accepted at once', () => {
    const taken: string[] = [];
    writeWhole('whole täxt', (rest) => taken.push(Buffer.from(rest.subarray(0, 1)).toString('latin1')) && 1);
    expect(Buffer.from(taken.join(''), 'latin1').toString()).toBe('whole täxt');
  });

  it('a text is refused when its rest is', () => {
    const refusals = [4, new Error('ENOSPC')];
    const write = (): number => {
      const next = refusals.shift();
      if (typeof next === 'number') return next;
      throw next ?? new Error('asked again');
    };
    expect(() => writeWhole('a text', write)).toThrow('ENOSPC');
  });
});
