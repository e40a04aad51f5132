import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { usageOfTrees, usageSinceStart } from '../../../src/sources/metrics/usage-now.ts';

const MIB = 1024 * 1024;

const children: ChildProcess[] = [];
afterEach(() => {
  for (const { pid } of children.splice(0)) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
});

const begin = (script: string): number => {
  const child = spawn('/bin/sh', ['-c', script], { detached: true, stdio: 'ignore' });
  children.push(child);
  return child.pid ?? 0;
};

describe('the present use of a process tree', () => {
  it('the present use includes all members, for each requested tree', async () => {
    const alone = begin('exec sleep 60');
    const busy = begin('(while :; do :; done) & sleep 60 & wait');
    await pause(200);
    const found = await usageOfTrees([alone, busy]);
    expect(found.get(alone)?.cpuPercent).toBeLessThan(10);
    // A machine with much else to do gives it little.
    expect(found.get(busy)?.cpuPercent).toBeGreaterThan(3);
    expect(found.get(busy)?.rssBytes).toBeGreaterThan(2 * (found.get(alone)?.rssBytes ?? 0));
  });

  it('the present use is unknown if the process is gone', async () => {
    const gone = 2 ** 22 + 1;
    expect(await usageOfTrees([gone])).toEqual(new Map());
    expect(await usageOfTrees([])).toEqual(new Map());
    expect(await usageSinceStart(gone)).toBeUndefined();
  });
});

describe('the use of a process since its start', () => {
  it('the use since the start has a share of CPU time, and memory', async () => {
    const own = await usageSinceStart(process.pid);
    expect(own?.cpuPercent).toBeGreaterThan(0);
    expect(own?.rssBytes).toBeGreaterThan(20 * MIB);
    expect(own?.rssBytes).toBeLessThan(4096 * MIB);
  });
});
