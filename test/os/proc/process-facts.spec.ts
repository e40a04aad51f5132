import { describe, expect, it } from 'vitest';
import { currentBoot } from '../../../src/os/proc/machine-facts.ts';
import { environmentOf, peakMemoryOf, processIds, processName } from '../../../src/os/proc/process-facts.ts';
import { statOf } from '../../../src/os/proc/process-stat.ts';

const NOBODY = 2 ** 30;

describe('the process table', () => {
  it('the process table lists this process, and each process once', () => {
    const pids = processIds();
    expect(pids).toContain(process.pid);
    expect(new Set(pids).size).toBe(pids.length);
    expect(pids.every((pid) => Number.isInteger(pid) && pid > 0)).toBe(true);
  });

  it('the environment of a process is read, and is undefined for a missing one', () => {
    expect(environmentOf(process.pid).some((variable) => variable.startsWith('PATH='))).toBe(true);
    expect(environmentOf(NOBODY)).toEqual([]);
  });

  it('the peak memory of a process is read', () => {
    expect(peakMemoryOf(process.pid)).toBeGreaterThan(10 * 1024 * 1024);
    expect(peakMemoryOf(NOBODY)).toBeUndefined();
  });
});

describe('the boot id', () => {
  it('the boot id stays the same during a boot', () => {
    expect(currentBoot()).toMatch(/^[0-9a-f-]{36}$/);
    expect(currentBoot()).toBe(currentBoot());
  });
});

describe('the name of a process', () => {
  it('the name of a process is the kernel’s, and undefined if its pid was reused', () => {
    const { pid, startTicks = 0 } = statOf(process.pid) ?? { pid: 0 };
    expect(processName({ pid, startTicks })).toMatch(/\w/);
    expect(processName({ pid, startTicks: startTicks + 1 })).toBeUndefined();
  });
});
