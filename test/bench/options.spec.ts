import { describe, expect, it } from 'vitest';
import { isWhole, readOptions } from '../../bench/options.ts';

describe('a run of the benchmarks', () => {
  it.each([
    [[], true],
    [['--peer', 'pm2'], true],
    [['--only', 'W1,W9'], false],
    [['--quick'], false],
  ])('with %j keeps its figures: %s', (line, kept) => {
    expect(isWhole(readOptions(line))).toBe(kept);
  });
});
