import { describe, expect, it } from 'vitest';
import { currentBoot } from '../../../src/os/proc/machine-facts.ts';
import { environmentOf, peakMemoryOf, processIds } from '../../../src/os/proc/process-facts.ts';

const NOBODY = 2 ** 30;

describe('the process table', () => {
  it('lists this process, and everybody once', () => {
    const pids = processIds();
    expect(pids).toContain(process.pid);
    expect(new Set(pids).size).toBe(pids.length);
    expect(pids.every((pid) => Number.isInteger(pid) && pid > 0)).toBe(true);
  });

  it('tells what a process was given to live in, and nothing of nobody', () => {
    expect(environmentOf(process.pid).some((variable) => variable.startsWith('PATH='))).toBe(true);
    expect(environmentOf(NOBODY)).toEqual([]);
  });

  it('tells the most memory a process has held', () => {
    expect(peakMemoryOf(process.pid)).toBeGreaterThan(10 * 1024 * 1024);
    expect(peakMemoryOf(NOBODY)).toBeUndefined();
  });
});

describe('a boot of the machine', () => {
  it('has one id as long as it lasts', () => {
    expect(currentBoot()).toMatch(/^[0-9a-f-]{36}$/);
    expect(currentBoot()).toBe(currentBoot());
  });
});
