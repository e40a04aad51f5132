import { describe, expect, it } from 'vitest';
import { cpusIn, onlineCpus } from '../../../src/os/proc/machine-facts.ts';

describe('CPUs', () => {
  it.each([
    { list: '0\n', cpus: [0] },
    { list: '0-3\n', cpus: [0, 1, 2, 3] },
    { list: '0-1,4,6-7\n', cpus: [0, 1, 4, 6, 7] },
    { list: '\n', cpus: [] },
  ])('are read as the kernel lists them: $list', ({ list, cpus }) => {
    expect(cpusIn(list)).toEqual(cpus);
  });

  it('of this machine begin with one that is there', () => {
    expect(onlineCpus().length).toBeGreaterThan(0);
  });
});
