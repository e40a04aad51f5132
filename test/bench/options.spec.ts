import { describe, expect, it } from 'vitest';
import { isWhole, NotUnderstood, readOptions, rowsToRun, usage, type Known } from '../../bench/options.ts';

const KNOWN: Known = {
  workloads: ['W1', 'W9', 'W20'],
  rows: ['W20:500-none', 'W20:500-file'],
  peers: ['pm2', 's6'],
};

describe('the options of the benchmarks', () => {
  it.each([
    [[], true],
    [['--peer', 'pm2'], true],
    [['--only', 'W1,W9'], false],
    [['--only', 'W20:500-none'], false],
    [['--quick'], false],
  ])('a benchmark with %j stores its figures: %s', (line, kept) => {
    expect(isWhole(readOptions(line, KNOWN))).toBe(kept);
  });

  it('a benchmark run accepts names one by one and in a list, in any case', () => {
    expect(readOptions(['--only', 'w9, W1', '--peer', 'pm2,s6'], KNOWN)).toEqual({
      ...{ only: ['W9', 'W1'], peers: ['pm2', 's6'], quick: false },
    });
  });

  it.each([
    [['--only', 'W99'], '--only W99: not one of W1, W9'],
    [['--only', 'W20:7-none'], '--only W20:7-none: not one of W1, W9, W20, W20:500-none'],
    [['--only', 'W1:500-none'], '--only W1:500-none: not one of W1'],
    [['--peer', 'runit'], '--peer runit: not one of pm2, s6'],
    [['W9'], "Unexpected argument 'W9'. This command does not take positional arguments"],
    [['--fast'], "Unknown option '--fast'"],
  ])('a benchmark run is refused with %j', (line, why) => {
    expect(() => readOptions(line, KNOWN)).toThrow(NotUnderstood);
    expect(() => readOptions(line, KNOWN)).toThrow(why);
  });

  it.each([
    [[], 'W20', []],
    [['--only', 'W20'], 'W20', []],
    [['--only', 'W1'], 'W20', undefined],
    [['--only', 'w20:500-file,W1'], 'W20', ['500-file']],
    [['--only', 'W20:500-file'], 'W1', undefined],
    [['--only', 'W20:500-file,W20'], 'W20', []],
  ])('a benchmark run with %j runs these rows of %s: %j', (line, workload, rows) => {
    expect(rowsToRun(readOptions(line, KNOWN), workload)).toEqual(rows);
  });

  it('the usage lists the available benchmarks', () => {
    expect(usage(KNOWN)).toContain('W1, W9');
    expect(usage(KNOWN)).toContain('W20:500-none');
  });
});
