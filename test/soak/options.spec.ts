import { describe, expect, it } from 'vitest';
import { NotUnderstood, readOptions } from './options.ts';

const read = (...line: readonly string[]): unknown => readOptions(line, () => 0.5);

describe('the command line of the soak', () => {
  it('the soak has default options and a random seed', () => {
    expect(read()).toEqual({ seed: 500_000, seeds: 1, seconds: 600, kills: 50 });
  });

  it('the soak accepts each option', () => {
    expect(read('--seed', '0', '--seeds', '10', '--kills', '52', '--seconds=200')).toEqual({
      seed: 0,
      seeds: 10,
      seconds: 200,
      kills: 52,
    });
  });

  it.each([
    ['no number', ['--kills', 'many']],
    ['a list', ['--seeds', '1,2']],
    ['a fraction', ['--seconds', '1.5']],
    ['nothing', ['--seeds', '0']],
    ['an empty one', ['--kills=']],
    ['an option that is not there', ['--kill', '5']],
    ['a word', ['5']],
  ])('the soak refuses %s', (_, line) => {
    expect(() => read(...line)).toThrow(NotUnderstood);
  });
});
