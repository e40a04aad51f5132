import { describe, expect, it } from 'vitest';
import { statOf } from '../../../src/os/proc/process-stat.ts';
import { processName } from '../../../src/os/proc/process-facts.ts';

describe('the name of a process', () => {
  it('the name of a process is the kernel’s, and undefined if its pid was reused', () => {
    const { pid, startTicks = 0 } = statOf(process.pid) ?? { pid: 0 };
    expect(processName({ pid, startTicks })).toMatch(/\w/);
    expect(processName({ pid, startTicks: startTicks + 1 })).toBeUndefined();
  });
});
