import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { nameOfProcess } from '../../../src/os/proc/process-facts.ts';
import { usageOfTrees, usageSinceStart } from '../../../src/sources/metrics/usage-now.ts';
import { until } from '../../fixtures/processes/world.ts';

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

/** The names of its children, of which the shell has started the first one first. */
const childNames = (pid: number): readonly string[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1')
    .split(' ')
    .filter(Boolean)
    .map((child) => nameOfProcess(Number(child)) ?? '');

describe('the present use of a process tree', () => {
  it('the present use includes all members, for each requested tree', async () => {
    const alone = begin('exec sleep 60');
    const busy = begin('(while :; do :; done) & sleep 60 & wait');
    await until(() => nameOfProcess(alone) === 'sleep' && childNames(busy).join() === 'sh,sleep');
    // The kernel may give a process nothing for a while.
    const found = await until(async () => {
      const now = await usageOfTrees([alone, busy]);
      return (now.get(busy)?.cpuPercent ?? 0) > 3 && now;
    });
    expect(found.get(alone)?.cpuPercent).toBeLessThan(10);
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
