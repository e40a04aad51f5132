import { describe, expect, it } from 'vitest';
import { cpusIn, onlineCpus } from '../../../src/os/proc/machine-facts.ts';

describe('the list of CPUs', () => {
  it.each([
    { list: '0\n', cpus: [0] },
    { list: '0-3\n', cpus: [0, 1, 2, 3] },
    { list: '0-1,4,6-7\n', cpus: [0, 1, 4, 6, 7] },
    { list: '\n', cpus: [] },
  ])('the CPU list $list is read', ({ list, cpus }) => {
    expect(cpusIn(list)).toEqual(cpus);
  });

  it('the first CPU of this machine exists', () => {
    expect(onlineCpus().length).toBeGreaterThan(0);
  });
});
